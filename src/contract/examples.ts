import { readContentJson } from '../lib/content.ts'
import { type Tag, tags } from './tags.ts'

/** A request that the server accepted, and its answer. */
export interface Example {
  /** Values of parameters of the path and the query. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly status: number
  /** The media type of an answer that is a file. */
  readonly mediaType?: string
  /** The JSON of the answer, or the text of a file. Missing if the answer is empty or a binary file. */
  readonly answer?: unknown
}

/** The examples of each operation by its id. The first one is the usual request. */
export type Examples = Readonly<Record<string, readonly Example[]>>

/** The address of the server in the stored examples. */
export const exampleServer = 'http://partita.example'

/** Returns the path of the examples of the operations with a tag, relative to `content/`. */
export const examplesPath = (tag: Tag): string => `examples/${tag.toLowerCase()}.json`

/**
 * Reads the examples of all operations from `content/`. `npm run docs:examples` records them.
 * @param publicUrl the address of this server, which the examples then show
 */
export function readExamples(publicUrl: string): Examples {
  const files = (Object.keys(tags) as Tag[]).map((tag) => readContentJson(examplesPath(tag)))
  return JSON.parse(
    JSON.stringify(Object.assign({}, ...files)).replaceAll(
      exampleServer,
      JSON.stringify(publicUrl).slice(1, -1),
    ),
  )
}
