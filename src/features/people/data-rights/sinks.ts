import { createWriteStream } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { finished, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

type Chunks = AsyncIterable<string | Uint8Array>

/**
 * Target of the files of an export, written one after the other. Only the user of the process can read them.
 */
export interface Sink {
  add(path: string, chunks: Chunks): Promise<void>
  /** Completes the export. An archive gets its final name only now. */
  close(): Promise<void>
  /** Deletes what was written. */
  discard(): Promise<void>
}

/**
 * Opens an archive if the name ends in `.zip`, or else a folder.
 * @throws Error if a file of this name or a non-empty folder exists
 */
export async function openSink(path: string): Promise<Sink> {
  return /\.zip$/i.test(path) ? zipSink(path) : folderSink(path)
}

async function folderSink(folder: string): Promise<Sink> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`)
  return {
    async add(path, chunks) {
      const file = join(folder, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await pipeline(chunks, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
    },
    close: async () => {},
    discard: () => rm(folder, { recursive: true, force: true }),
  }
}

async function zipSink(path: string): Promise<Sink> {
  if (await exists(path)) throw new Error(`${path} is there already`)
  const unfinished = `${path}.part`
  const zip = new ZipFile()
  const file = await open(unfinished, 'wx', 0o600)
  const written = pipeline(zip.outputStream, file.createWriteStream())
  // `add` and `close` report the error. This handler prevents an unhandled rejection.
  written.catch(() => {})
  return {
    async add(name, chunks) {
      const stream = Readable.from(chunks, { objectMode: false })
      const read = new Promise<void>((resolve, reject) => {
        finished(stream, { writable: false }, (error) => (error ? reject(error) : resolve()))
      })
      zip.addReadStream(stream, name)
      // If the disk is full, the archive stops reading, and the stream never ends.
      await Promise.race([read, written.then(() => Promise.reject(new Error(`${path} has ended`)))])
    },
    async close() {
      zip.end()
      await written
      await renameFinal(unfinished, path)
    },
    discard: () => rm(unfinished, { force: true }),
  }
}

/**
 * Gives the file its final name. A rename would overwrite a file that was created in the meantime; a hard
 * link fails instead.
 */
async function renameFinal(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path)
  } catch (error) {
    // File systems of USB sticks have no hard links.
    if (await exists(path)) throw error
    return rename(unfinished, path)
  }
  await unlink(unfinished)
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
