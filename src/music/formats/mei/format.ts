import { format } from '../format.ts'

export const mei = format({
  title: 'MEI',
  sniff: ({ xmlRoot }) =>
    xmlRoot !== undefined &&
    (['mei', 'meiCorpus'].includes(xmlRoot.name) ||
      xmlRoot.namespace.startsWith('http://www.music-encoding.org/ns/mei')),
})
