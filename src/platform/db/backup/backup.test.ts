import { randomBytes } from 'node:crypto'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresUrl, usingDatabases } from '../../../../test/support/databases.ts'
import { insertComposer, insertPiece, onPieces, pieceMigrations } from '../../../../test/support/pieces.ts'
import type { Database, Queries } from '../database.ts'
import type { DialectName } from '../dialects.ts'
import { type Migration, migrate, pendingMigrations } from '../migrate.ts'
import { openSqliteConnection } from '../sqlite/sqlite-connection.ts'
import { backupDatabase, type Progress } from './backup.ts'
import { restoreDatabase } from './restore.ts'

interface Shelf {
  id: string
  inside: string | null
}

const createShelves: Migration = {
  name: '003-shelves',
  async up({ createTable, types }) {
    await createTable('shelves')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('inside', types.key, (column) => column.references('shelves.id'))
      .execute()
  },
}
const migrations = [...pieceMigrations, createShelves]
const shelves = (queries: Queries) => queries as unknown as Kysely<{ shelves: Shelf }>

let folder: string
let directory: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partita-backup-'))
  directory = join(folder, 'backup')
})
afterEach(() => rm(folder, { recursive: true }))

/** Writes a composer and a piece in one transaction. A backup that has only one of them is not consistent. */
async function write(db: Database, id: string) {
  await db.transaction(async (tx) => {
    await insertComposer(tx, id)
    await insertPiece(tx, id, { composer: id, tempo: Math.random(), cover: randomBytes(300) })
  })
}

async function everything(db: Database) {
  const composers = await onPieces(db.read).selectFrom('composers').selectAll().orderBy('id').execute()
  const pieces = await onPieces(db.read).selectFrom('pieces').selectAll().orderBy('id').execute()
  const all = await shelves(db.read).selectFrom('shelves').selectAll().orderBy('id').execute()
  const plain = pieces.map((piece) => ({
    ...piece,
    cover: piece.cover && Buffer.from(piece.cover).toString('hex'),
  }))
  return {
    composers: composers.map((row) => ({ ...row })),
    pieces: plain,
    shelves: all.map((row) => ({ ...row })),
  }
}

const dialects: DialectName[] = ['sqlite', 'postgres']
const pairs = dialects.flatMap((from) => dialects.map((to) => [from, to] as const))

describe.each(pairs)('a backup of %s restored into %s', (from, to) => {
  const absent = !postgresUrl && (from === 'postgres' || to === 'postgres')
  describe.skipIf(absent)(absent ? 'SKIPPED: there is no PostgreSQL server' : '', () => {
    const sources = usingDatabases(from)
    const targets = usingDatabases(to)
    const openTarget = async () => targets.openAgain(await targets.location())

    it('contains every value unchanged', async () => {
      const source = await sources.open(migrations)
      await source.transaction(async (tx) => {
        await insertComposer(tx, 'bach', 'J. S. "Bach"\n\u2028 𝄞 \\')
        await insertPiece(tx, 'a', {
          bars: Number.MAX_SAFE_INTEGER,
          tempo: 0.1 + 0.2,
          cover: randomBytes(70_000),
        })
        await insertPiece(tx, 'b', { bars: -1, tempo: -1e-300, cover: new Uint8Array(), title: '' })
        await insertPiece(tx, 'c', { tempo: null, cover: null })
        await shelves(tx).insertInto('shelves').values({ id: 'z', inside: null }).execute()
        await shelves(tx).insertInto('shelves').values({ id: 'a', inside: 'z' }).execute()
        await shelves(tx).insertInto('shelves').values({ id: 'm', inside: 'a' }).execute()
        await shelves(tx).updateTable('shelves').set({ inside: 'm' }).where('id', '=', 'z').execute()
      })
      await backupDatabase(source, directory)
      const target = await openTarget()
      await restoreDatabase(target, directory, migrations)
      expect(await everything(target)).toEqual(await everything(source))
      // The foreign keys are enforced again.
      await expect(target.transaction((tx) => insertPiece(tx, 'd', { composer: 'nobody' }))).rejects.toThrow()
    })

    it('contains one consistent state, though 20 writers were writing', async () => {
      const source = await sources.open(migrations)
      for (let n = 0; n < 30; n++)
        await Promise.all(Array.from({ length: 20 }, (_, w) => write(source, `before ${n} ${w}`)))
      let writing = true
      const acknowledged: string[] = []
      const writers = Array.from({ length: 20 }, async (_, writer) => {
        for (let n = 0; writing || n < 2; n++) {
          await write(source, `during ${writer} ${n}`)
          acknowledged.push(`during ${writer} ${n}`)
        }
      })
      while (acknowledged.length < 20) await nextTurn()
      const progress: Progress[] = []
      const manifest = await backupDatabase(source, directory, {
        onProgress: (now) => progress.push({ ...now }),
      })
      writing = false
      await Promise.all(writers)

      const target = await openTarget()
      await restoreDatabase(target, directory, migrations)
      const { composers, pieces } = await everything(target)
      expect(pieces.map(({ id }) => id)).toEqual(composers.map(({ id }) => id))
      expect(composers.length).toBeGreaterThanOrEqual(600)
      expect(manifest.tables.map(({ name, count }) => [name, count])).toEqual([
        ['composers', composers.length],
        ['pieces', composers.length],
        ['shelves', 0],
      ])
      expect(progress.at(-1)).toEqual({ done: 2 * composers.length, total: 2 * composers.length })
    })

    it('contains the files that its rows name', async () => {
      const source = await sources.open(migrations)
      for (const id of ['ab/one', 'ab/two', 'cd/three']) await write(source, id)
      const contents = new Map(['ab/one', 'ab/two', 'cd/three'].map((name) => [name, randomBytes(100_000)]))
      await backupDatabase(source, directory, {
        files: {
          async *names(snapshot) {
            for await (const { id } of onPieces(snapshot).selectFrom('pieces').select('id').stream()) yield id
          },
          read: async (name) => contents.get(name) ?? new Uint8Array(),
        },
      })
      const restored = new Map<string, Uint8Array>()
      await restoreDatabase(await openTarget(), directory, migrations, {
        writeFile: async (name, bytes) => void restored.set(name, bytes),
      })
      expect(restored).toEqual(contents)
    })

    it('is brought up to the newest migration', async () => {
      const source = await sources.open(pieceMigrations)
      await write(source, 'old')
      await backupDatabase(source, directory)
      const target = await openTarget()
      await restoreDatabase(target, directory, migrations)
      expect(await pendingMigrations(target, migrations)).toEqual([])
      expect((await everything(target)).composers).toHaveLength(1)
    })
  })
})

describe('a backup', () => {
  const databases = usingDatabases('sqlite')

  async function backedUp(as: readonly Migration[] = migrations) {
    const source = await databases.open(as)
    for (const id of ['a', 'b', 'c']) await write(source, id)
    await backupDatabase(source, directory)
    return source
  }
  const openEmpty = async () => databases.openAgain(await databases.location())

  async function refused(message: RegExp, files: Parameters<typeof restoreDatabase>[3] = {}) {
    const target = await openEmpty()
    await expect(restoreDatabase(target, directory, migrations, files)).rejects.toThrow(message)
    await migrate(target, migrations)
    expect(await everything(target)).toEqual({ composers: [], pieces: [], shelves: [] })
  }

  it('is refused in a folder that is not empty', async () => {
    await mkdir(directory)
    await writeFile(join(directory, 'letter.txt'), 'Dear Anna Magdalena')
    const source = await databases.open(migrations)
    await expect(backupDatabase(source, directory)).rejects.toThrow('is not empty')
    expect(await readdir(directory)).toEqual(['letter.txt'])
  })

  it('is not accepted without its manifest', async () => {
    await backedUp()
    await rm(join(directory, 'manifest.json'))
    await refused(/is not a complete backup/)
  })

  it('gets no manifest if a file cannot be read', async () => {
    const source = await databases.open(migrations)
    await write(source, 'a')
    const files = {
      async *names() {
        yield 'ab/missing'
      },
      read: () => Promise.reject(new Error('The blob file ab/missing is missing')),
    }
    await expect(backupDatabase(source, directory, { files })).rejects.toThrow('ab/missing is missing')
    expect(await readdir(directory)).not.toContain('manifest.json')
  })

  it.each([
    ['a byte more', (path: string) => appendFile(path, 'x')],
    ['a truncated file', async (path: string) => writeFile(path, (await readFile(path)).subarray(0, -20))],
    ['an empty file', (path: string) => writeFile(path, '')],
    [
      'the file of another table',
      (path: string) => cp(join(directory, 'tables', 'composers.ndjson.zst'), path),
    ],
  ])('is refused completely if a table has %s', async (_, damage) => {
    await backedUp()
    await damage(join(directory, 'tables', 'pieces.ndjson.zst'))
    await refused(/damaged/)
  })

  it('is refused completely if a row refers to a missing row', async () => {
    const location = await databases.location()
    const source = await databases.openAgain(location)
    await migrate(source, migrations)
    for (const id of ['a', 'b', 'c']) await write(source, id)
    const unchecked = openSqliteConnection(location.path, { readOnly: false })
    unchecked.exec("PRAGMA foreign_keys = OFF; DELETE FROM composers WHERE id = 'b'")
    unchecked.close()
    await backupDatabase(source, directory)
    await refused(/refers to a missing row in composers/)
  })

  it('is refused if its files have no target, are changed, or lie outside of it', async () => {
    const source = await databases.open(migrations)
    const file = (name: string) => ({
      async *names() {
        yield name
      },
      read: async () => Buffer.from('Kyrie'),
    })
    await backupDatabase(source, directory, { files: file('ab/cd') })
    await refused(/no target for them/)
    await writeFile(join(directory, 'files', 'ab', 'cd'), 'Gloria')
    await refused(/damaged/, { writeFile: async () => {} })
    const outside = join(folder, 'outside')
    await backupDatabase(source, outside, { files: file('../escaped') })
    directory = outside
    await refused(/outside of its folder/, { writeFile: async () => {} })
  })

  it('is restored only into an empty database', async () => {
    const source = await backedUp()
    const before = await everything(source)
    await expect(restoreDatabase(source, directory, migrations)).rejects.toThrow(/not empty.*composers/)
    expect(await everything(source)).toEqual(before)
  })

  it('is restored into empty tables that are not newer than the backup', async () => {
    await backedUp(pieceMigrations)
    const same = await databases.open(pieceMigrations)
    await restoreDatabase(same, directory, migrations)
    expect((await everything(same)).composers).toHaveLength(3)
    const newer = await databases.open(migrations)
    await expect(restoreDatabase(newer, directory, migrations)).rejects.toThrow(
      /newer than the backup: it has 003-shelves/,
    )
  })

  it('of a newer version is refused', async () => {
    await backedUp()
    await expect(restoreDatabase(await openEmpty(), directory, pieceMigrations)).rejects.toThrow(
      /newer version.*003-/,
    )
  })
})
