import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import { type DatabaseLocation, openDatabase } from '../../src/db/open-database.ts'
import { databaseAt, findPostgres, onPostgres } from './postgres-server.ts'

/** Databases that have our tables and nothing in them: to copy one is ten times as quick as to make all tables anew. */
interface Templates {
  /** The path of the file. */
  readonly sqlite: string
  /** The PostgreSQL server that tests use; undefined where there is none. */
  readonly server: string | undefined
  /** The name on that server; undefined without one, and where its user may make no databases. */
  readonly postgres: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates
  }
}

/** Makes them once for a whole run. @returns what takes them away again */
export default async function makeTemplates({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
  const sqlite = join(folder, 'template.db')
  await makeTables({ path: sqlite })
  const server = await findPostgres()
  const postgres = server && (await makePostgresTemplate(server))
  provide('templates', { sqlite, server, postgres })
  return async () => {
    await rm(folder, { recursive: true, force: true })
    if (server && postgres) await onPostgres(server, [`DROP DATABASE IF EXISTS ${postgres} WITH (FORCE)`])
  }
}

const mayNotMakeDatabases = '42501'

async function makePostgresTemplate(server: string): Promise<string | undefined> {
  const name = `test_template_${randomBytes(8).toString('hex')}`
  try {
    await onPostgres(server, [`CREATE DATABASE ${name}`])
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === mayNotMakeDatabases) return undefined
    throw error
  }
  try {
    await makeTables({ url: databaseAt(server, name), path: '' })
  } catch (error) {
    await onPostgres(server, [`DROP DATABASE ${name} WITH (FORCE)`])
    throw error
  }
  return name
}

/** Gives an empty database our tables. */
export async function makeTables(location: DatabaseLocation): Promise<void> {
  const db = await openDatabase(location)
  try {
    await migrate(db, migrations)
  } finally {
    await db.close()
  }
}
