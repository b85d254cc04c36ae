import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** Real scores, which are kept beside the repository and are no part of it. */
const corpus = resolve(import.meta.dirname, '../../../shared/corpus')

/** Whether the scores are at hand; a test that needs them skips itself with `corpusMissing` when they are not. */
export const hasCorpus = existsSync(corpus)

export const corpusMissing = `there are no real scores in ${corpus}`

export interface CorpusFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The files of one folder and those below it, in the order of their names; none when there is no corpus. */
export function corpusFiles(folder: string): CorpusFile[] {
  if (!hasCorpus) return []
  const entries = readdirSync(join(corpus, folder), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return paths.sort().map((path) => ({ name: basename(path), bytes: readFileSync(path) }))
}
