import type { Format } from '../format.ts'
import { readJson } from './read.ts'
import { writeJson } from './write.ts'

/** The JSON form of a score (docs/json-format.md). */
export const json = {
  title: 'the JSON form of a score',
  sniff: (file) => file.plainText.startsWith('{'),
  read: (bytes) => readJson(new TextDecoder().decode(bytes)),
  export: {
    name: 'json',
    mediaType: 'application/json',
    extension: 'json',
    write: (document) => new TextEncoder().encode(writeJson(document)),
  },
} as const satisfies Format
