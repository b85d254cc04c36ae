import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/platform/db/migrate.ts'
import { migrations } from '../../src/platform/db/migrations/index.ts'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open-database.ts'
import { canEmptyDatabases, fingerprintOf, type TestRun } from './database-pool.ts'
import { databaseAt, findPostgres } from './postgres-server.ts'

/** The values that the global setup provides to all workers of a run. */
interface Templates {
  /** The path of a SQLite file that has the application's tables and no rows. */
  readonly sqlite: string
  /** The PostgreSQL server that tests use; undefined if there is none. */
  readonly server: string | undefined
  /** Undefined without a PostgreSQL server. */
  readonly run: TestRun | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates
  }
}

/** Vitest's global setup: prepares the databases of a run. Returns the teardown that removes them. */
export default async function makeTemplates({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
  const sqlite = join(folder, 'template.db')
  await makeTables({ path: sqlite })
  const server = await findPostgres()
  const postgres = server === undefined ? undefined : await startRun(server)
  provide('templates', { sqlite, server, run: postgres?.run })
  return async () => {
    await rm(folder, { recursive: true, force: true })
    await postgres?.end()
  }
}

/**
 * Removes the databases of killed runs, and creates the template of this run. The connection holds an
 * advisory lock until the run ends: a run whose lock is free has ended.
 */
async function startRun(server: string): Promise<{ run: TestRun; end(): Promise<void> }> {
  const client = new pg.Client(server)
  client.on('error', () => {})
  await client.connect()
  await removeLeftovers(client)
  const id = randomInt(1_000_000_000)
  await tryLock(client, id)
  const template = await createTemplate(client, server, `test_${id}_template`)
  const run: TestRun = {
    id,
    template,
    fingerprint: template ? await fingerprintAt(databaseAt(server, template)) : '',
    canEmpty: await canEmptyDatabases(server),
  }
  return {
    run,
    async end() {
      await removeRun(client, id)
      await client.end()
    },
  }
}

/**
 * Tries to take the lock of a whole run, which has the number 0. The locks of its databases have numbers from
 * 1.
 */
async function tryLock(client: pg.Client, run: number): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1, 0) AS locked', [run])
  return rows[0].locked
}

async function removeLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    SELECT DISTINCT substring(name FROM '^test_(\\d+)_')::int AS run
    FROM (SELECT datname FROM pg_database UNION ALL SELECT nspname FROM pg_namespace) AS names(name)
    WHERE name ~ '^test_\\d{1,9}_'`)
  for (const { run } of rows) {
    if (!(await tryLock(client, run))) continue
    await removeRun(client, run)
    await client.query('SELECT pg_advisory_unlock($1, 0)', [run])
  }
}

/** Drops the databases and schemas of a run. */
async function removeRun(client: pg.Client, run: number): Promise<void> {
  const { rows } = await client.query(
    `SELECT format('DROP DATABASE IF EXISTS %I WITH (FORCE)', datname) AS drop
     FROM pg_database WHERE starts_with(datname, $1)
     UNION ALL
     SELECT format('DROP SCHEMA IF EXISTS %I CASCADE', nspname) FROM pg_namespace WHERE starts_with(nspname, $1)`,
    [`test_${run}_`],
  )
  for (const { drop } of rows) await client.query(drop)
}

const mayNotCreateDatabases = '42501'

/** Returns the name of the new database, or undefined if the user may not create one. */
async function createTemplate(client: pg.Client, server: string, name: string): Promise<string | undefined> {
  try {
    await client.query(`CREATE DATABASE ${name}`)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === mayNotCreateDatabases) return undefined
    throw error
  }
  await makeTables({ url: databaseAt(server, name), path: '' })
  return name
}

async function fingerprintAt(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await fingerprintOf(client)
  } finally {
    await client.end()
  }
}

/** Creates the application's tables in an empty database. */
export async function makeTables(location: DatabaseLocation): Promise<void> {
  const db = await openDatabase(location, { durability: 'off' })
  try {
    await migrate(db, migrations)
  } finally {
    await db.close()
  }
}
