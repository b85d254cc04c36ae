import { scoreContentsOf } from '../../model/measure-contents.ts'
import { format } from '../format.ts'

/** What is written in each measure, as JSON. */
export const measureContents = format({
  title: 'contents of measures',
  export: {
    name: 'measureContents',
    mediaType: 'application/json',
    extension: 'measures.json',
    write: (document) => new TextEncoder().encode(JSON.stringify(scoreContentsOf(document))),
  },
})
