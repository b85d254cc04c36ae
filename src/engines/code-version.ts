import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const packageOf = createRequire(import.meta.url)

/** Our readers and writers, the timeline of the playback, and the instruments that it plays. */
export const musicFolders: readonly URL[] = ['../music/', '../../content/instruments/'].map(
  (folder) => new URL(folder, import.meta.url),
)

/**
 * Returns the version of what makes a file: a hash of our code and tables, and of the versions of packages. It changes with each update that
 * changes one of them, without a number that could be forgotten. It is computed at the first call.
 * @param folders with all folders in them, without tests
 * @returns eight characters, the same in all processes of one installation
 */
export function codeVersion(folders: readonly URL[], packages: readonly string[] = []): () => string {
  let version: string | undefined
  return () => (version ??= hashOf(folders, packages))
}

function hashOf(folders: readonly URL[], packages: readonly string[]): string {
  const content = createHash('sha256')
  for (const name of packages) content.update(packageOf(`${name}/package.json`).version)
  for (const folder of folders) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const sources = names.filter((name) => /\.(?:ts|json)$/.test(name) && !name.endsWith('.test.ts'))
    for (const name of sources.sort()) content.update(readFileSync(new URL(name, folder)))
  }
  return content.digest('base64url').slice(0, 8)
}
