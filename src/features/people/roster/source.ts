import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Entry, openPromise } from 'yauzl'

/** The files of a roster. Each can be read several times. */
export interface RosterSource {
  /** `file` is one CSV table, `files` a OneRoster folder or archive. */
  readonly kind: 'file' | 'files'
  /** @returns undefined if the file does not exist. A roster of one file ignores the name. */
  read(name: string): Promise<AsyncIterable<Buffer> | undefined>
  close(): void
}

/** The maximum number of entries of an archive. OneRoster has twenty kinds of files. */
const maxEntries = 1000

/** Opens a file, a folder or a .zip archive. */
export async function openRoster(path: string): Promise<RosterSource> {
  const stats = await stat(path).catch(() => {
    throw new Error(`There is no file or folder ${path}`)
  })
  if (stats.isDirectory()) return { kind: 'files', read: (name) => readFileIn(path, name), close() {} }
  if (/\.zip$/i.test(path)) return openArchive(path)
  return { kind: 'file', read: async () => createReadStream(path), close() {} }
}

async function readFileIn(folder: string, name: string): Promise<AsyncIterable<Buffer> | undefined> {
  const path = join(folder, name)
  const exists = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
  return exists ? createReadStream(path) : undefined
}

async function openArchive(path: string): Promise<RosterSource> {
  const failUnreadable = (cause: unknown): never => {
    throw new Error(`${basename(path)} is not a .zip archive that can be read: ${(cause as Error).message}`, {
      cause,
    })
  }
  const archive = await openPromise(path, { autoClose: false }).catch(failUnreadable)
  const entries: Entry[] = []
  try {
    if (archive.entryCount > maxEntries) throw new Error(`it has more than ${maxEntries} files`)
    for await (const entry of archive.eachEntry()) entries.push(entry)
  } catch (cause) {
    archive.close()
    failUnreadable(cause)
  }
  return {
    kind: 'files',
    async read(name) {
      // Archives contain the files themselves or a folder with the files.
      const entry = entries.find(({ fileName }) => fileName === name || isInOneFolder(fileName, name))
      return entry && archive.openReadStreamPromise(entry).catch(failUnreadable)
    },
    close: () => archive.close(),
  }
}

const isInOneFolder = (path: string, name: string) =>
  path.endsWith(`/${name}`) && path.split('/').length === 2 && !path.startsWith('__MACOSX/')
