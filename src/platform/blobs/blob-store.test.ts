import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import type { Database, Transaction } from '../db/database.ts'
import { type Migration, migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { Failure } from '../../errors.ts'
import { idGenerator } from '../../lib/ids.ts'
import { type BlobFiles, diskFiles } from './blob-files.ts'
import { type BlobStore, blobStore } from './blob-store.ts'

const hour = 60 * 60 * 1000
const small = Buffer.from('<score-partwise version="4.0"/>'.repeat(200))

/** A table of the tests' own that refers to blobs. */
const createShelves: Migration = {
  name: '999-documents',
  async up({ createTable, types }) {
    await createTable('documents').addColumn('name', types.key).addColumn('blob', types.key).execute()
  },
}
interface DocumentTables {
  documents: { name: string; blob: string }
}

describeEachDatabase('a blob', (databases) => {
  let db: Database
  let folder: string
  let files: BlobFiles
  let blobs: BlobStore
  let now: number
  const clock = { now: () => now }

  beforeAll(async () => {
    // In two steps, because a baseline replaces all migrations that run with it.
    db = await databases.open(migrations)
    await migrate(db, [...migrations, createShelves])
  })
  beforeEach(async () => {
    now = Date.now()
    folder = await mkdtemp(join(tmpdir(), 'partita-blobs-'))
    files = await diskFiles(folder)
    blobs = blobStore(files, clock, idGenerator(clock), [{ table: 'documents', column: 'blob' }])
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
    await db.transaction(async (tx) => {
      await tx.deleteFrom('blobs').execute()
      await documents(tx).deleteFrom('documents').execute()
    })
  })

  /** Returns the bytes that are sent to a client. */
  async function readBody(hash: string): Promise<Uint8Array> {
    const body = await blobs.open(db.read, hash)
    return 'stream' in body ? buffer(body.stream) : body
  }

  async function store(bytes: Uint8Array, owner = 'Tess'): Promise<string> {
    const blob = await blobs.prepare(bytes)
    await db.transaction(async (tx) => {
      await blobs.insert(tx, blob)
      await documents(tx).insertInto('documents').values({ name: owner, blob: blob.hash }).execute()
    })
    return blob.hash
  }
  async function removeReference(owner = 'Tess'): Promise<void> {
    await db.transaction(async (tx) => {
      await documents(tx).deleteFrom('documents').where('name', '=', owner).execute()
    })
  }
  const documents = (tx: Transaction) => tx as unknown as Kysely<DocumentTables>

  async function listFiles(): Promise<string[]> {
    const names: string[] = []
    for await (const { name } of files.list()) names.push(name)
    return names
  }
  async function exists(hash: string): Promise<boolean> {
    return blobs.read(db.read, hash).then(
      () => true,
      () => false,
    )
  }

  describe('that is stored', () => {
    it.each([
      ['no bytes', new Uint8Array()],
      ['a small score', small],
      ['noise of the maximum size of a row', randomBytes(64 * 1024)],
      ['noise too large for a row', randomBytes(64 * 1024 + 1)],
      ['noise that is hashed in another thread', randomBytes(300_000)],
      ['a score that fits into a row when it is compressed', Buffer.alloc(1_000_000, small)],
      ['a score in a row that is streamed', Buffer.alloc(2_000_000, small)],
      ['noise that is streamed', randomBytes(1_100_000)],
    ])('is read back unchanged: %s', async (_case, bytes) => {
      const hash = await store(bytes)
      expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'))
      expect(Buffer.from(await blobs.read(db.read, hash)).equals(Buffer.from(bytes))).toBe(true)
      expect(Buffer.from(await readBody(hash)).equals(Buffer.from(bytes))).toBe(true)
    })

    it('is streamed above 1 MiB with its size', async () => {
      expect(await blobs.open(db.read, await store(Buffer.alloc(1024 * 1024, small)))).toBeInstanceOf(
        Uint8Array,
      )
      const body = await blobs.open(db.read, await store(Buffer.alloc(1024 * 1024 + 1, small), 'Sam'))
      expect(body).toMatchObject({ size: 1024 * 1024 + 1, stream: expect.any(Readable) })
    })

    it('can be read by the transaction that inserted it', async () => {
      const blob = await blobs.prepare(small)
      const read = await db.transaction(async (tx) => {
        await blobs.insert(tx, blob)
        return blobs.read(tx, blob.hash)
      })
      expect(Buffer.from(read).equals(small)).toBe(true)
    })

    describe('in a transaction', () => {
      const noise = () => randomBytes(100_000)
      const refused = new Failure('ACCOUNT_STORAGE_EXHAUSTED')

      it('leaves its file if it was inserted', async () => {
        const blob = await blobs.prepare(noise())
        await blobs.storing([blob], () => db.transaction((tx) => blobs.insert(tx, blob)))
        expect(await listFiles()).toEqual([blob.file])
      })

      it('leaves no file if it was not inserted, or exists already', async () => {
        const bytes = noise()
        const [unused, first, again] = await Promise.all([noise(), bytes, bytes].map(blobs.prepare))
        if (!unused || !first || !again) throw new Error('Nothing was prepared')
        await blobs.storing([unused, first], () => db.transaction((tx) => blobs.insert(tx, first)))
        await blobs.storing([again], () => db.transaction((tx) => blobs.insert(tx, again)))
        expect(await listFiles()).toEqual([first.file])
      })

      it('leaves no file if the transaction is refused', async () => {
        const blob = await blobs.prepare(noise())
        const refuse = async (tx: Transaction) => {
          await blobs.insert(tx, blob)
          throw refused
        }
        await expect(blobs.storing([blob], () => db.transaction(refuse))).rejects.toBe(refused)
        expect(await listFiles()).toEqual([])
      })

      it('leaves its file if the result of the transaction is unknown', async () => {
        const blob = await blobs.prepare(noise())
        const unknown = new Failure('DATABASE_UNAVAILABLE')
        await expect(blobs.storing([blob], () => Promise.reject(unknown))).rejects.toBe(unknown)
        expect(await listFiles()).toEqual([blob.file])
      })
    })

    it('is stored in the row up to 64 KiB, and in one file above that', async () => {
      await store(randomBytes(64 * 1024))
      expect(await listFiles()).toEqual([])
      const hash = await store(randomBytes(64 * 1024 + 1))
      expect(await listFiles()).toEqual([expect.stringMatching(`^${hash.slice(0, 2)}/${hash.slice(2)}\\.`)])
    })

    it('is stored once for simultaneous inserts of the same bytes', async () => {
      const bytes = randomBytes(100_000)
      const [first, second] = await Promise.all([store(bytes, 'Tess'), store(bytes, 'Sam')])
      expect(first).toBe(second)
      expect(await db.read.selectFrom('blobs').select('hash').execute()).toEqual([{ hash: first }])
      expect((await blobs.read(db.read, first)).length).toBe(100_000)
    })

    it('does not exist if the transaction failed', async () => {
      const blob = await blobs.prepare(small)
      const failing = db.transaction(async (tx) => {
        await blobs.insert(tx, blob)
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await expect(blobs.read(db.read, blob.hash)).rejects.toThrow(`There is no blob ${blob.hash}`)
    })
  })

  describe('that is corrupt', () => {
    describe.each([
      ['few bytes', 100_000],
      ['many bytes', 1_100_000],
    ])('of %s', (_case, size) => {
      it('is reported if its file is missing', async () => {
        const hash = await store(randomBytes(size))
        await rm(join(folder, hash.slice(0, 2)), { recursive: true })
        await expect(blobs.read(db.read, hash)).rejects.toThrow('is missing')
        await expect(readBody(hash)).rejects.toThrow('is missing')
      })

      it('is reported if its file was truncated', async () => {
        const hash = await store(randomBytes(size))
        const [file = ''] = await listFiles()
        await writeFile(join(folder, file), randomBytes(10))
        await expect(blobs.read(db.read, hash)).rejects.toThrow(`The blob ${hash} is corrupt: file ${file}`)
        await expect(readBody(hash)).rejects.toThrow(`The blob ${hash} is corrupt: file ${file}`)
      })

      it('is reported if its file has other bytes of the same length', async () => {
        const hash = await store(randomBytes(size))
        const [file = ''] = await listFiles()
        await writeFile(join(folder, file), randomBytes(size))
        await expect(blobs.read(db.read, hash)).rejects.toThrow('is corrupt')
        await expect(readBody(hash)).rejects.toThrow('is corrupt')
      })
    })

    it('is never streamed completely', async () => {
      const hash = await store(Buffer.alloc(50_000_000, randomBytes(70_000)))
      const [file = ''] = await listFiles()
      const packed = await readFile(join(folder, file))
      packed.writeUInt8(packed.readUInt8(packed.length - 1) ^ 1, packed.length - 1)
      await writeFile(join(folder, file), packed)
      const body = await blobs.open(db.read, hash)
      if (!('stream' in body)) throw new Error('The blob is not streamed')
      const { size, stream } = body
      let length = 0
      stream.on('data', (bytes: Buffer) => {
        length += bytes.length
      })
      await expect(finished(stream)).rejects.toThrow()
      expect(length).toBeGreaterThan(0)
      expect(length).toBeLessThan(size)
    })

    it('is reported if its row has other bytes', async () => {
      const hash = await store(small)
      await db.transaction(async (tx) => {
        await tx
          .updateTable('blobs')
          .set({ content: randomBytes(50) })
          .execute()
      })
      await expect(blobs.read(db.read, hash)).rejects.toThrow(`The blob ${hash} is corrupt`)
    })
  })

  describe('during a sweep', () => {
    it('is kept while a row refers to it', async () => {
      const hash = await store(small)
      await blobs.sweep(db)
      now += 48 * hour
      expect(await blobs.sweep(db)).toEqual({ rows: 0, files: 0 })
      expect(await exists(hash)).toBe(true)
    })

    it('is deleted a day after a sweep first found it without a reference, and not before', async () => {
      const hash = await store(small)
      await removeReference()
      await blobs.sweep(db)
      now += 24 * hour - 1
      await blobs.sweep(db)
      expect(await exists(hash)).toBe(true)
      now += 1
      expect(await blobs.sweep(db)).toEqual({ rows: 1, files: 0 })
      expect(await exists(hash)).toBe(false)
    })

    it('is deleted together with its file', async () => {
      await store(randomBytes(100_000))
      await removeReference()
      await blobs.sweep(db)
      now += 24 * hour
      expect(await blobs.sweep(db)).toEqual({ rows: 1, files: 1 })
      expect(await listFiles()).toEqual([])
    })

    it('is kept for another day if it was inserted again in the meantime', async () => {
      const hash = await store(small)
      await removeReference()
      await blobs.sweep(db)
      now += 20 * hour
      await store(small)
      await removeReference()
      await blobs.sweep(db)
      now += 20 * hour
      await blobs.sweep(db)
      expect(await exists(hash)).toBe(true)
    })

    it('is kept if a new row refers to it without a new insert', async () => {
      const hash = await store(small)
      await removeReference()
      await blobs.sweep(db)
      await db.transaction(async (tx) => {
        await documents(tx).insertInto('documents').values({ name: 'Sam', blob: hash }).execute()
      })
      now += 24 * hour
      await blobs.sweep(db)
      expect(await exists(hash)).toBe(true)
      await removeReference('Sam')
      await blobs.sweep(db)
      expect(await exists(hash)).toBe(true)
    })

    it('is kept if it is used again between the query and the deletion', async () => {
      const hash = await store(small)
      await removeReference()
      await blobs.sweep(db)
      now += 24 * hour
      let late = true
      const busy: Database = {
        ...db,
        async transaction(work) {
          if (late) {
            late = false
            await store(small, 'Sam')
          }
          return db.transaction(work)
        },
      }
      expect(await blobs.sweep(busy)).toEqual({ rows: 0, files: 0 })
      expect(await exists(hash)).toBe(true)
    })

    it('keeps its file if the same bytes were prepared again and never inserted', async () => {
      const bytes = randomBytes(100_000)
      const hash = await store(bytes)
      await blobs.prepare(bytes)
      now += 25 * hour
      expect(await blobs.sweep(db)).toEqual({ rows: 0, files: 1 })
      expect(await exists(hash)).toBe(true)
    })

    it('deletes files of interrupted writes after a day and keeps newer ones', async () => {
      await files.write('ab/old.tmp', randomBytes(10))
      await files.write('ab/fresh.tmp', randomBytes(10))
      const dayAgo = new Date(now - 24 * hour - 1000)
      await utimes(join(folder, 'ab', 'old.tmp'), dayAgo, dayAgo)
      expect(await blobs.sweep(db)).toEqual({ rows: 0, files: 1 })
      expect(await readdir(join(folder, 'ab'))).toEqual(['fresh.tmp'])
    })

    it('is found among more blobs than one page has', async () => {
      const rows = Array.from({ length: 1200 }, (_, index) => ({
        hash: createHash('sha256').update(`${index}`).digest('hex'),
        size: 0,
        compression: 'none' as const,
        content: new Uint8Array(),
        file: null,
        created_at: now,
        unused_since: now - 24 * hour,
      }))
      await db.transaction(async (tx) => {
        await tx.insertInto('blobs').values(rows).execute()
      })
      const hash = await store(small)
      expect(await blobs.sweep(db)).toEqual({ rows: 1200, files: 0 })
      expect(await exists(hash)).toBe(true)
    })

    it('is kept if the sweep is aborted', async () => {
      await store(small)
      await removeReference()
      await blobs.sweep(db)
      now += 24 * hour
      expect(await blobs.sweep(db, AbortSignal.abort())).toEqual({ rows: 0, files: 0 })
    })
  })
})
