import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { DialectName } from '../../src/db/dialects.ts'
import { type Migration, migrate } from '../../src/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../../src/db/open-database.ts'
import { databaseAt, onPostgres } from './postgres-server.ts'
import { makeTables } from './template-databases.ts'

/** What a test of one dialect works with. Everything in it is gone when its tests are done. */
export interface TestDatabases {
  readonly dialect: DialectName
  /** Where a new, empty database is; every call names another one. */
  location(): Promise<DatabaseLocation>
  /** Where a new database with our tables is. */
  migrated(): Promise<DatabaseLocation>
  /** Opens a new database with the tables of `migrations`, ours where none are given. It is closed after the tests. */
  open(migrations?: readonly Migration[]): Promise<Database>
  /** Opens one more process's worth of connections to the same place. It is closed after the tests. */
  openAgain(location: DatabaseLocation): Promise<Database>
}

/**
 * Declares the same tests for every database: SQLite in a folder of its own, and PostgreSQL where there is one, at
 * `TEST_DATABASE_URL` or else on this machine. Where there is none they are skipped, which their title says.
 */
export function describeEachDatabase(title: string, declare: (databases: TestDatabases) => void): void {
  describe(`${title} (SQLite)`, () => declare(usingDatabases('sqlite')))
  const skipped = postgresUrl ? '' : ' SKIPPED: no server at TEST_DATABASE_URL or 127.0.0.1:5432'
  describe.skipIf(!postgresUrl)(`${title} (PostgreSQL)${skipped}`, () => declare(usingDatabases('postgres')))
}

/** The server that tests may make schemas and databases on; undefined where there is none. */
export const postgresUrl: string | undefined = inject('templates').server

type Locations = Pick<TestDatabases, 'location' | 'migrated'>

/** The databases of one dialect for the tests of the `describe` that calls it. */
export function usingDatabases(dialect: DialectName): TestDatabases {
  const locations = dialect === 'sqlite' ? sqliteLocations() : postgresLocations(postgresUrl ?? '')
  const opened: Database[] = []
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.close()))
  })
  async function openAgain(at: DatabaseLocation) {
    const db = await openDatabase(at)
    opened.push(db)
    return db
  }
  return {
    dialect,
    ...locations,
    openAgain,
    async open(migrations) {
      const db = await openAgain(migrations ? await locations.location() : await locations.migrated())
      if (migrations) await migrate(db, migrations)
      return db
    },
  }
}

function sqliteLocations(): Locations {
  let folder = ''
  let made = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const location = async () => ({ path: join(folder, `${++made}`, 'partita.db') })
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
  const drops: string[] = []
  afterAll(() => Promise.all(drops.map((drop) => onPostgres(server, [drop]))))
  const newName = () => `test_${randomBytes(8).toString('hex')}`
  async function location() {
    const schema = newName()
    drops.push(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await onPostgres(server, [`CREATE SCHEMA ${schema}`])
    const url = new URL(server)
    url.searchParams.set('options', `-c search_path=${schema}`)
    return { url: url.href, path: '' }
  }
  return {
    location,
    async migrated() {
      const template = inject('templates').postgres
      if (!template) {
        const at = await location()
        await makeTables(at)
        return at
      }
      const name = newName()
      drops.push(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      await onPostgres(server, [`CREATE DATABASE ${name} TEMPLATE ${template}`])
      return { url: databaseAt(server, name), path: '' }
    },
  }
}
