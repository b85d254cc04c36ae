import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fail } from '../errors.ts'
import { syncFolder } from '../lib/sync-folder.ts'

/** A file that is there, whether or not a row names it. */
export interface ListedFile {
  readonly name: string
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/**
 * Where large blobs lie. A name is `ab/cdef…` and is written once; nothing is ever written over.
 * Rejects with STORAGE_UNAVAILABLE when the place is full or away, with a plain Error when a file is missing.
 */
export interface BlobFiles {
  /** Resolves when the bytes are durable under that name. */
  write(name: string, bytes: Uint8Array): Promise<void>
  read(name: string): Promise<Uint8Array>
  /** The same in pieces. What fails after the file was opened ends the stream with an error. */
  stream(name: string): Promise<Readable>
  /** Fine when it is gone already. */
  remove(name: string): Promise<void>
  /** Everything that is there, remains of interrupted writes included, in no order. */
  list(): AsyncIterable<ListedFile>
}

/** Files in a folder of this machine, made if it is not there. */
export async function diskFiles(folder: string): Promise<BlobFiles> {
  await mkdir(folder, { recursive: true })
  await syncFolder(dirname(folder))

  return {
    async write(name, bytes) {
      const path = join(folder, name)
      const temporary = `${path}.tmp`
      try {
        const made = await mkdir(dirname(path), { recursive: true })
        if (made) await syncFolder(folder)
        const file = await open(temporary, 'wx')
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporary, path)
        await syncFolder(dirname(path))
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => {})
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
          const found = await stat(join(folder, name)).catch(ifMissing)
          if (found) yield { name, modifiedAt: found.mtimeMs }
        }
      }
    },
  }
}

function failToRead(name: string, cause: unknown): never {
  if (isMissing(cause)) throw new Error(`The blob file ${name} is missing`, { cause })
  fail('STORAGE_UNAVAILABLE', { cause })
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

function ifMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}
