import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Database, DatabaseOptions } from '../../src/platform/db/database.ts'
import type { DialectName } from '../../src/platform/db/dialects.ts'
import { type Migration, migrate } from '../../src/platform/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open-database.ts'
import { takeDatabase } from './database-pool.ts'
import { databaseAt, onPostgres } from './postgres-server.ts'
import { makeTables } from './template-databases.ts'

/** Creates databases of one dialect. All of them are removed after the tests. */
export interface TestDatabases {
  readonly dialect: DialectName
  /** Returns the location of a new, empty database. */
  location(): Promise<DatabaseLocation>
  /** Returns the location of a new database with the application's tables. */
  migrated(): Promise<DatabaseLocation>
  /**
   * Opens a new database with the tables of `migrations`. Without `migrations` it has the application's tables and syncs no
   * commit. It is closed after the tests.
   */
  open(migrations?: readonly Migration[]): Promise<Database>
  /**
   * Opens the same database with separate connections, as another process would. It is closed after the
   * tests.
   */
  openAgain(location: DatabaseLocation, options?: DatabaseOptions): Promise<Database>
}

/**
 * Declares the same tests for SQLite and PostgreSQL. The PostgreSQL server is `TEST_DATABASE_URL`, or else a
 * local one. Without a server its tests are skipped, and their title says so.
 */
export function describeEachDatabase(title: string, declare: (databases: TestDatabases) => void): void {
  describe(`${title} (SQLite)`, () => declare(usingDatabases('sqlite')))
  const skipped = postgresUrl ? '' : ' SKIPPED: no server at TEST_DATABASE_URL or 127.0.0.1:5432'
  describe.skipIf(!postgresUrl)(`${title} (PostgreSQL)${skipped}`, () => declare(usingDatabases('postgres')))
}

/** The server on which tests may create schemas and databases; undefined without one. */
export const postgresUrl: string | undefined = inject('templates').server

type Locations = Pick<TestDatabases, 'location' | 'migrated'>

/** Returns the databases of one dialect for the tests of the surrounding `describe`. */
export function usingDatabases(dialect: DialectName): TestDatabases {
  const locations = dialect === 'sqlite' ? sqliteLocations() : postgresLocations(postgresUrl ?? '')
  const opened: Database[] = []
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()))
  })
  async function openAgain(at: DatabaseLocation, options?: DatabaseOptions) {
    const db = await openDatabase(at, options)
    opened.push(db)
    return db
  }
  return {
    dialect,
    ...locations,
    openAgain,
    async open(migrations) {
      if (!migrations) return openAgain(await locations.migrated(), { durability: 'off' })
      const db = await openAgain(await locations.location())
      await migrate(db, migrations)
      return db
    },
  }
}

function sqliteLocations(): Locations {
  let folder = ''
  let count = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const location = async () => ({ path: join(folder, `${++count}`, 'partita.db') })
  return {
    location,
    async migrated() {
      const { path } = await location()
      await mkdir(dirname(path))
      await copyFile(inject('templates').sqlite, path)
      return { path }
    },
  }
}

function postgresLocations(server: string): Locations {
  const cleanups: (() => Promise<void>)[] = []
  afterAll(() => Promise.all(cleanups.map((cleanup) => cleanup())))
  async function location() {
    const { run } = inject('templates')
    const schema = `test_${run?.id}_${randomBytes(8).toString('hex')}`
    cleanups.push(() => onPostgres(server, [`DROP SCHEMA IF EXISTS ${schema} CASCADE`]))
    await onPostgres(server, [`CREATE SCHEMA ${schema}`])
    const url = new URL(server)
    url.searchParams.set('options', `-c search_path=${schema}`)
    return { url: url.href, path: '' }
  }
  return {
    location,
    async migrated() {
      const { run } = inject('templates')
      if (!run?.template) {
        const at = await location()
        await makeTables(at)
        return at
      }
      const database = await takeDatabase(server, run)
      cleanups.push(() => database.release())
      return { url: databaseAt(server, database.name), path: '' }
    },
  }
}
