import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { DialectName } from '../../src/db/dialects.ts'
import { type Migration, migrate } from '../../src/db/migrate.ts'
import { migrations as ownMigrations } from '../../src/db/migrations/index.ts'
import { type DatabaseLocation, openDatabase } from '../../src/db/open-database.ts'

/** What a test of one dialect works with. Everything in it is gone when its tests are done. */
export interface TestDatabases {
  readonly dialect: DialectName
  /** Where a new, empty database is; every call names another one. */
  location(): Promise<DatabaseLocation>
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

/** The server that tests may make their schemas on; undefined where there is none. */
export const postgresUrl: string | undefined = await findPostgres()

type Locations = Pick<TestDatabases, 'location'>

/** The databases of one dialect for the tests of the `describe` that calls it. */
export function usingDatabases(dialect: DialectName): TestDatabases {
  const { location } = dialect === 'sqlite' ? sqliteLocations() : postgresLocations(postgresUrl ?? '')
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
    location,
    openAgain,
    async open(migrations = ownMigrations) {
      const db = await openAgain(await location())
      await migrate(db, migrations)
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
  return { location: async () => ({ path: join(folder, `${++made}`, 'partita.db') }) }
}

function postgresLocations(server: string): Locations {
  const schemas: string[] = []
  afterAll(() =>
    onServer(
      server,
      schemas.map((schema) => `DROP SCHEMA IF EXISTS ${schema} CASCADE`),
    ),
  )
  return {
    async location() {
      const schema = `test_${randomBytes(8).toString('hex')}`
      schemas.push(schema)
      await onServer(server, [`CREATE SCHEMA ${schema}`])
      const url = new URL(server)
      url.searchParams.set('options', `-c search_path=${schema}`)
      return { url: url.href, path: '' }
    },
  }
}

async function findPostgres(): Promise<string | undefined> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return given
  for (const user of ['postgres', userInfo().username]) {
    const url = `postgres://${user}@127.0.0.1:5432/test`
    const found = await onServer(url, []).then(
      () => true,
      () => false,
    )
    if (found) return url
  }
  return undefined
}

async function onServer(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
