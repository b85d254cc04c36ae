import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

/** The folder of real scores, beside the repository and not part of it. */
const corpus = resolve(import.meta.dirname, '../../../shared/corpus')

/** Whether the corpus exists. Without it, the tests that need it skip themselves, and their title says so (`corpusTitle`). */
export const hasCorpus = existsSync(corpus)

export const corpusMissing = `there are no real scores in ${corpus}`

/** The title of tests that need the corpus. */
export const corpusTitle = (title: string): string =>
  hasCorpus ? title : `${title} SKIPPED: ${corpusMissing}`

export interface CorpusFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Returns the files of a folder and its subfolders, sorted by name; an empty array without the corpus. */
export function corpusFiles(folder: string): CorpusFile[] {
  if (!hasCorpus) return []
  const entries = readdirSync(join(corpus, folder), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return paths.sort().map((path) => ({ name: basename(path), bytes: readFileSync(path) }))
}
