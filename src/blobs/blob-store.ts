import { createHash, hash as hashNow, webcrypto } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { compiled, type Params } from '../db/compiled.ts'
import type { Database, Queries, Transaction } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { NewId } from '../lib/ids.ts'
import type { BlobFiles } from './blob-files.ts'
import { type Compression, pack, unpack } from './compression.ts'
import { type BlobReference, blobReferences } from './references.ts'
import { type Swept, sweepBlobs } from './sweep.ts'

/** Bytes that are hashed, packed and, when they are many, durable on disk; only their row is still to be written. */
export interface PreparedBlob {
  /** SHA-256 of the bytes as they were given, 64 lower-case hex characters: the name to keep and to read by. */
  readonly hash: string
  /** How many bytes were given. */
  readonly size: number
  readonly compression: Compression
  /** The packed bytes where they fit into the row. */
  readonly content: Uint8Array | null
  /** The file of the packed bytes where they do not. */
  readonly file: string | null
}

/** A blob as it is sent on: all at once, or in pieces. */
export type BlobBody = Uint8Array | { readonly size: number; readonly stream: Readable }

/** Immutable bytes by the SHA-256 (FIPS 180-4) of what was given. */
export interface BlobStore {
  /**
   * All the slow work of keeping bytes; done before the transaction, never inside of it. What is prepared and then not
   * inserted is swept after a day.
   * @throws STORAGE_UNAVAILABLE when a large blob cannot be written
   */
  prepare(bytes: Uint8Array): Promise<PreparedBlob>
  /** Writes the row, or takes the one that is there into use again. The row that refers to it belongs to the same `tx`. */
  insert(tx: Transaction, blob: PreparedBlob): Promise<void>
  /**
   * The bytes of a hash that some row refers to.
   * @throws Error, for the log, when they are not there or not what they were; STORAGE_UNAVAILABLE when the disk fails
   */
  read(queries: Queries, hash: string): Promise<Uint8Array>
  /**
   * The same for what is sent on: above 1 MiB in pieces, so that memory does not grow with the blob. The stream ends with
   * an error, before its last piece, when the bytes are not what they were.
   */
  open(queries: Queries, hash: string): Promise<BlobBody>
  /** Deletes what nothing has referred to for a day, and the files that no row names. */
  sweep(db: Database, signal?: AbortSignal): Promise<Swept>
}

/** Packed bytes up to here are a row, durable by the commit alone; more are a file. */
const rowBytes = 64 * 1024
/** More than this is sent in pieces. */
const pieceBytes = 1024 * 1024
/** Hashing more than this takes longer than handing it to another thread. */
const hashNowBytes = 256 * 1024

/** @param references the columns that keep a blob alive */
export function blobStore(
  files: BlobFiles,
  clock: Clock,
  newId: NewId,
  references: readonly BlobReference[] = blobReferences,
): BlobStore {
  async function wholeOf(hash: string, { size, compression, content, file }: BlobRow): Promise<Uint8Array> {
    const packed = file === null ? content : await files.read(file)
    const bytes = packed && (await unpack({ compression, packed }, size).catch(() => null))
    // A Zstandard frame has proved itself by its checksum; what was kept as it is, has not.
    const isIntact = bytes?.length === size && (compression === 'zstd' || (await sha256(bytes)) === hash)
    if (!bytes || !isIntact) throw corrupt(hash, file)
    return bytes
  }

  async function inPieces(hash: string, { size, compression, content, file }: BlobRow): Promise<BlobBody> {
    const packed = file === null ? Readable.from([content]) : await files.stream(file)
    const unpacked = compression === 'zstd' ? [createZstdDecompress()] : []
    const proven = proving(compression === 'zstd' ? undefined : hash, size, () => corrupt(hash, file))
    // An error on the way ends what is handed out; there is nobody else to tell.
    pipeline([packed, ...unpacked, proven], () => {})
    return { size, stream: proven }
  }

  return {
    async prepare(bytes) {
      const [hash, { compression, packed }] = await Promise.all([sha256(bytes), pack(bytes)])
      if (packed.length <= rowBytes) return { hash, size: bytes.length, compression, content: packed, file: null }
      // A file of its own every time: the sweep can then delete the file of a row without a look at who is preparing
      // the same bytes. One that loses to an older row is an orphan, and is swept.
      const file = `${hash.slice(0, 2)}/${hash.slice(2)}.${newId()}`
      await files.write(file, packed)
      return { hash, size: bytes.length, compression, content: null, file }
    },

    async insert(tx, { hash, size, compression, content, file }) {
      await insertBlob(tx, { hash, size, compression, content, file, now: clock.now() })
    },

    async read(queries, hash) {
      return wholeOf(hash, await loadBlob(queries, hash))
    },

    async open(queries, hash) {
      const row = await loadBlob(queries, hash)
      return row.size <= pieceBytes ? wholeOf(hash, row) : inPieces(hash, row)
    },

    sweep: (db, signal) => sweepBlobs({ db, files, clock, references }, signal),
  }
}

const insertBlob = compiled((db, p: Params<PreparedBlob & { now: number }>) =>
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
    ),
)

const findBlob = compiled((db, p: Params<{ hash: string }>) =>
  db.selectFrom('blobs').select(['size', 'compression', 'content', 'file']).where('hash', '=', p('hash')),
)

/** The names of the files of all large blobs that `queries` sees, in no order. */
export async function* listBlobFiles(queries: Queries): AsyncGenerator<string> {
  for await (const { file } of queries.selectFrom('blobs').select('file').where('file', 'is not', null).stream()) {
    if (file !== null) yield file
  }
}

type BlobRow = Awaited<ReturnType<typeof findBlob>>[number]

async function loadBlob(queries: Queries, hash: string): Promise<BlobRow> {
  const [row] = await findBlob(queries, { hash })
  if (!row) throw new Error(`There is no blob ${hash}`)
  return row
}

function corrupt(hash: string, file: string | null): Error {
  return new Error(`The blob ${hash} is corrupt${file ? `: file ${file}` : ''}`)
}

/** Passes bytes on, but the last of them only when all are there and, where a hash is given, are those it is of. */
function proving(expected: string | undefined, size: number, fault: () => Error): Transform {
  const hash = expected === undefined ? undefined : createHash('sha256')
  let length = 0
  let held: Buffer | undefined
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash?.update(bytes)
      length += bytes.length
      const proven = held
      held = bytes
      if (length > size) done(fault())
      else done(null, proven)
    },
    flush(done) {
      if (length !== size || hash?.digest('hex') !== expected) done(fault())
      else done(null, held)
    },
  })
}

async function sha256(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= hashNowBytes) return hashNow('sha256', bytes)
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
}
