import { createHash, hash as hashNow, webcrypto } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { Failure } from '../../errors.ts'
import { afterCommit } from '../db/after-commit.ts'
import { compiled, type Params } from '../db/compiled.ts'
import type { Database, Queries, Transaction } from '../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { NewId } from '../../lib/ids.ts'
import { type BlobFiles, MissingBlob } from './blob-files.ts'
import { type Compression, pack, unpack } from './compression.ts'
import { type BlobReference, blobReferences, originalReferences } from './references.ts'
import { deleteUnusedRows, isReferenced, type Swept, sweepBlobs } from './sweep.ts'

/** A blob that is hashed, compressed and, if it is large, durable on disk. Only its row is not written yet. */
export interface PreparedBlob {
  /** SHA-256 of the original bytes, 64 lower-case hex characters. Rows refer to the blob by it. */
  readonly hash: string
  /** Number of original bytes. */
  readonly size: number
  /** Number of packed bytes, which storage quotas count. */
  readonly storedSize: number
  readonly compression: Compression
  /** The packed bytes, if they fit into the row. */
  readonly content: Uint8Array | null
  /** The file of the packed bytes, if they do not fit into the row. */
  readonly file: string | null
}

/** The content of a blob to send: all bytes, or a stream. */
export type BlobBody = Uint8Array | { readonly size: number; readonly stream: Readable }

/** Stores immutable bytes under their SHA-256 (FIPS 180-4). */
export interface BlobStore {
  /**
   * Does the slow part of storing bytes. Call it before the transaction, never within one. A prepared blob that is not
   * inserted is swept after a day.
   * @throws STORAGE_UNAVAILABLE if a large blob cannot be written
   */
  prepare(bytes: Uint8Array): Promise<PreparedBlob>
  /** Inserts the row, or marks the existing row as used. Insert the row that refers to the blob in the same transaction. */
  insert(tx: Transaction, blob: PreparedBlob): Promise<void>
  /**
   * Runs a transaction that may insert these blobs, and deletes the files of those that it did not insert. Without this, a
   * client whose requests are refused could fill the disk until the next sweep. If it is unknown whether the transaction
   * was committed, the files are left to the sweep.
   */
  storing<T>(blobs: readonly PreparedBlob[], transaction: () => Promise<T>): Promise<T>
  /**
   * Reads the bytes of a blob that a row refers to.
   * @throws MissingBlob; Error, for the log, if the blob is corrupt; STORAGE_UNAVAILABLE if the disk fails
   */
  read(queries: Queries, hash: string): Promise<Uint8Array>
  /**
   * Reads a blob to send it. Above 1 MiB it is a stream, so that memory use does not depend on the size. If the blob is
   * corrupt, the stream fails before its last chunk.
   */
  open(queries: Queries, hash: string): Promise<BlobBody>
  /**
   * Deletes those of these blobs to which no row refers any more, at once: their bytes can be made again. Delete the rows
   * before, in the same transaction.
   */
  deleteUnused(tx: Transaction, hashes: readonly string[]): Promise<void>
  /** Sums the original sizes of all blobs. Reads every row, on a connection of its own. */
  totalBytes(queries: Queries): Promise<number>
  /** Deletes blobs that have had no reference for a day, and files without a row. */
  sweep(db: Database, signal?: AbortSignal): Promise<Swept>
}

/** Packed bytes up to this size are stored in the row, larger ones in a file. */
const maxRowBytes = 64 * 1024
/** Larger blobs are streamed. */
const maxUnstreamedBytes = 1024 * 1024
/** Larger inputs are hashed in another thread. For smaller ones the hand-over takes longer than the hash. */
const maxSyncHashBytes = 256 * 1024

/** @param references the columns that can refer to a blob */
export function blobStore(
  files: BlobFiles,
  clock: Clock,
  newId: NewId,
  references: readonly BlobReference[] = blobReferences,
): BlobStore {
  async function readAll(hash: string, { size, compression, content, file }: BlobRow): Promise<Uint8Array> {
    const packed = file === null ? content : await files.read(file)
    const bytes = packed && (await unpack({ compression, packed }, size).catch(() => null))
    // A Zstandard frame is verified by its checksum; bytes that are not compressed need the hash.
    const isIntact = bytes?.length === size && (compression === 'zstd' || (await sha256(bytes)) === hash)
    if (!bytes || !isIntact) throw corruptError(hash, file)
    return bytes
  }

  async function readStream(hash: string, { size, compression, content, file }: BlobRow): Promise<BlobBody> {
    const packed = file === null ? Readable.from([content]) : await files.stream(file)
    const unpacked = compression === 'zstd' ? [createZstdDecompress()] : []
    const verified = verifyingTransform(compression === 'zstd' ? undefined : hash, size, () =>
      corruptError(hash, file),
    )
    // `pipeline` passes an error on to the last stream, so the callback has nothing to do.
    pipeline([packed, ...unpacked, verified], () => {})
    return { size, stream: verified }
  }

  /** The prepared blobs whose rows were committed with their own file. */
  const stored = new WeakSet<PreparedBlob>()

  async function discardUnstored(blobs: readonly PreparedBlob[]): Promise<void> {
    for (const blob of blobs) {
      // The sweep deletes a file that cannot be deleted now.
      if (blob.file !== null && !stored.has(blob)) await files.remove(blob.file).catch(() => {})
    }
  }

  return {
    async prepare(bytes) {
      const [hash, { compression, packed }] = await Promise.all([sha256(bytes), pack(bytes)])
      const blob = { hash, size: bytes.length, storedSize: packed.length, compression }
      if (packed.length <= maxRowBytes) return { ...blob, content: packed, file: null }
      // Each call creates a new file, so that the sweep can delete the file of a row while the same bytes are prepared
      // again. If the row exists already, the new file is not needed.
      const file = `${hash.slice(0, 2)}/${hash.slice(2)}.${newId()}`
      await files.write(file, packed)
      return { ...blob, content: null, file }
    },

    async insert(tx, blob) {
      const { hash, size, compression, content, file } = blob
      let isOwn = false
      afterCommit(tx, () => {
        if (isOwn) stored.add(blob)
      })
      const [row] = await insertBlob(tx, { hash, size, compression, content, file, now: clock.now() })
      isOwn = row?.file === file
    },

    async storing(blobs, transaction) {
      try {
        const result = await transaction()
        await discardUnstored(blobs)
        return result
      } catch (error) {
        if (error instanceof Failure && error.status < 500) await discardUnstored(blobs)
        throw error
      }
    },

    async read(queries, hash) {
      return readAll(hash, await loadBlob(queries, hash))
    },

    async open(queries, hash) {
      const row = await loadBlob(queries, hash)
      return row.size <= maxUnstreamedBytes ? readAll(hash, row) : readStream(hash, row)
    },

    async deleteUnused(tx, hashes) {
      const deleted = await deleteUnusedRows(tx, hashes, references)
      afterCommit(tx, () => {
        // The sweep deletes a file that cannot be deleted now.
        for (const file of deleted) files.remove(file).catch(() => {})
      })
    },

    async totalBytes(queries) {
      let bytes = 0
      for await (const { size } of queries.selectFrom('blobs').select('size').stream()) bytes += size
      return bytes
    },

    sweep: (db, signal) => sweepBlobs({ db, files, clock, references }, signal),
  }
}

const insertBlob = compiled((db, p: Params<Omit<PreparedBlob, 'storedSize'> & { now: number }>) =>
  db
    .insertInto('blobs')
    .values({
      hash: p('hash'),
      size: p('size'),
      compression: p('compression'),
      content: p('content'),
      file: p('file'),
      created_at: p('now'),
      unused_since: null,
    })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ unused_since: null }).where('blobs.unused_since', 'is not', null),
    )
    .returning('file'),
)

const findBlob = compiled((db, p: Params<{ hash: string }>) =>
  db.selectFrom('blobs').select(['size', 'compression', 'content', 'file']).where('hash', '=', p('hash')),
)

/**
 * Yields the file names of all large blobs in the snapshot of `queries` that cannot be made again, in no particular order.
 */
export async function* listBlobFiles(queries: Queries): AsyncGenerator<string> {
  for await (const { file } of queries
    .selectFrom('blobs')
    .select('file')
    .where('file', 'is not', null)
    .where(isReferenced(originalReferences))
    .stream()) {
    if (file !== null) yield file
  }
}

type BlobRow = Awaited<ReturnType<typeof findBlob>>[number]

async function loadBlob(queries: Queries, hash: string): Promise<BlobRow> {
  const [row] = await findBlob(queries, { hash })
  if (!row) throw new MissingBlob(`There is no blob ${hash}`)
  return row
}

function corruptError(hash: string, file: string | null): Error {
  return new Error(`The blob ${hash} is corrupt${file ? `: file ${file}` : ''}`)
}

/**
 * Creates a transform that passes bytes through unchanged. It withholds the last chunk until the size and the hash are
 * verified.
 * @param expected the SHA-256 of the bytes. Undefined if the hash need not be verified.
 * @param createError returns the error of a stream with other bytes
 */
function verifyingTransform(expected: string | undefined, size: number, createError: () => Error): Transform {
  const hash = expected === undefined ? undefined : createHash('sha256')
  let length = 0
  let withheld: Buffer | undefined
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash?.update(bytes)
      length += bytes.length
      const previous = withheld
      withheld = bytes
      if (length > size) done(createError())
      else done(null, previous)
    },
    flush(done) {
      if (length !== size || hash?.digest('hex') !== expected) done(createError())
      else done(null, withheld)
    },
  })
}

async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= maxSyncHashBytes) return hashNow('sha256', bytes)
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString(
    'hex',
  )
}
