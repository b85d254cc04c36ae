import { mkdir, open, opendir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fail } from '../../errors.ts'
import { syncFolder, writeDurably } from '../../lib/durable-files.ts'

/** A blob, or its file, does not exist. */
export class MissingBlob extends Error {
  override readonly name = 'MissingBlob'
}

/** An existing file, with or without a row that refers to it. */
export interface ListedFile {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/**
 * The storage of large blobs. A name is `ab/cdef…`. Each file is written once and never overwritten.
 * Rejects with STORAGE_UNAVAILABLE if the storage is full or unavailable, and with a plain Error if a file is missing.
 */
export interface BlobFiles {
  /** Resolves when the file is durable. */
  write(name: string, bytes: Uint8Array): Promise<void>
  read(name: string): Promise<Uint8Array>
  /** Resolves when the file is open. The stream fails if the file cannot be read later. */
  stream(name: string): Promise<Readable>
  /** Deletes a file. Does nothing if the file does not exist. */
  remove(name: string): Promise<void>
  /** Yields all files in no particular order, including those that interrupted writes have left. */
  list(): AsyncIterable<ListedFile>
}

/** Stores the files in a local folder. Creates the folder if it does not exist. */
export async function diskFiles(folder: string): Promise<BlobFiles> {
  await mkdir(folder, { recursive: true })
  await syncFolder(dirname(folder))

  return {
    async write(name, bytes) {
      const path = join(folder, name)
      try {
        const createdFolder = await mkdir(dirname(path), { recursive: true })
        if (createdFolder) await syncFolder(folder)
        await writeDurably(path, bytes)
      } catch (cause) {
        fail('STORAGE_UNAVAILABLE', { cause })
      }
    },
    async read(name) {
      return await readFile(join(folder, name)).catch((cause) => failToRead(name, cause))
    },
    async stream(name) {
      const file = await open(join(folder, name)).catch((cause) => failToRead(name, cause))
      return file.createReadStream()
    },
    async remove(name) {
      await rm(join(folder, name), { force: true })
    },
    async *list() {
      for await (const entry of await opendir(folder)) {
        if (!entry.isDirectory()) continue
        for await (const file of await opendir(join(folder, entry.name))) {
          const name = `${entry.name}/${file.name}`
          const stats = await stat(join(folder, name)).catch(ifMissing)
          if (stats) yield { name, modifiedAt: stats.mtimeMs }
        }
      }
    },
  }
}

function failToRead(name: string, cause: unknown): never {
  if (isMissing(cause)) throw new MissingBlob(`The blob file ${name} is missing`, { cause })
  fail('STORAGE_UNAVAILABLE', { cause })
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function ifMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
