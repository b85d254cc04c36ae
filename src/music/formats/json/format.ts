import { format } from '../format.ts'
import { decodeUtf8 } from '../utf8.ts'
import { readJson } from './read.ts'
import { writeJson } from './write.ts'

/** The JSON form of a score (docs/json-format.md). */
export const json = format({
  title: 'the JSON form of a score',
  sniff: (file) => file.plainText.startsWith('{'),
  read: (bytes) => readJson(decodeUtf8(bytes, 'INVALID_SCORE_JSON')),
  export: {
    name: 'json',
    mediaType: 'application/json',
    extension: 'json',
    write: (document) => new TextEncoder().encode(writeJson(document)),
  },
})
