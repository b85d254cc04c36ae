import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { fail } from '../../../errors.ts'

/** The files of a roster. Each can be read several times. */
export interface RosterSource {
  /** `file` is one CSV table, `files` a OneRoster folder or archive. */
  readonly kind: 'file' | 'files'
  /** The name of the file, folder or archive. */
  readonly name: string
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
  const name = basename(path)
  if (stats.isDirectory()) return { kind: 'files', name, read: (file) => readFileIn(path, file), close() {} }
  if (isArchive(path)) return openArchive(name, () => openPromise(path, { autoClose: false }))
  return { kind: 'file', name, read: async () => createReadStream(path), close() {} }
}

const isArchive = (name: string) => /\.zip$/i.test(name)

/** The files of an uploaded archive may have this many bytes when unpacked. */
const maxUnpackedBytes = 100 * 1024 * 1024

/**
 * Opens uploaded files: one table, one .zip archive, or several files of OneRoster.
 * @throws INVALID_PARAMETER if the archive cannot be read or is too large when unpacked
 */
export async function openUploadedRoster(
  files: readonly { name: string; bytes: Buffer }[],
): Promise<RosterSource> {
  const [first] = files
  if (files.length === 1 && first && isArchive(first.name)) {
    const open = () => fromBufferPromise(first.bytes, { autoClose: false })
    const archive = await openArchive(first.name, open, maxUnpackedBytes).catch(refuseUpload)
    return {
      ...archive,
      async read(name) {
        const bytes = await archive.read(name).catch(refuseUpload)
        return bytes && refusingErrors(bytes)
      },
    }
  }
  const isTable = files.length === 1 && first?.name.toLowerCase() !== 'manifest.csv'
  return {
    kind: isTable ? 'file' : 'files',
    name: first?.name ?? '',
    async read(name) {
      const file = files.find((one) => one.name === name)
      return file && Readable.from([file.bytes])
    },
    close() {},
  }
}

/** An error in an uploaded file is one of the request, not of the server. */
function refuseUpload(error: unknown): never {
  return fail('INVALID_PARAMETER', { param: 'files', message: (error as Error).message })
}

async function* refusingErrors(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    refuseUpload(error)
  }
}

async function readFileIn(folder: string, name: string): Promise<AsyncIterable<Buffer> | undefined> {
  const path = join(folder, name)
  const exists = await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
  return exists ? createReadStream(path) : undefined
}

async function openArchive(
  archiveName: string,
  open: () => Promise<ZipFile>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<RosterSource> {
  const failUnreadable = (cause: unknown): never => {
    throw new Error(`${archiveName} is not a .zip archive that can be read: ${(cause as Error).message}`, {
      cause,
    })
  }
  const archive = await open().catch(failUnreadable)
  const entries: Entry[] = []
  try {
    if (archive.entryCount > maxEntries) throw new Error(`it has more than ${maxEntries} files`)
    for await (const entry of archive.eachEntry()) entries.push(entry)
    const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
    if (unpacked > maxBytes) throw new Error('its files are too large')
  } catch (cause) {
    archive.close()
    failUnreadable(cause)
  }
  return {
    kind: 'files',
    name: archiveName,
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
