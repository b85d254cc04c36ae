import type { Socket } from 'node:net'
import pg from 'pg'
import { databaseAt, onPostgres } from './postgres-server.ts'

/** The settings that all workers of one test run share for the PostgreSQL server. */
export interface TestRun {
  /** Identifies the run. The names of its databases and schemas begin with `test_<id>_`. */
  readonly id: number
  /** The database that new databases are copied from. Undefined if the user may not create databases. */
  readonly template: string | undefined
  /** The result of `fingerprintOf` for the template. */
  readonly fingerprint: string
  /** False if the user may not empty a database without regard to foreign keys. Each test then gets a new database. */
  readonly canEmpty: boolean
}

/** A database of the pool. */
export interface PooledDatabase {
  readonly name: string
  /** Returns the database to the pool. */
  release(): Promise<void>
}

/**
 * Takes a database with the application's tables and no rows.
 *
 * Dropping a database costs PostgreSQL a checkpoint, which takes seconds. For this reason a released database
 * is emptied and used again by any worker of the run. An advisory lock marks a database that is in use, so
 * that the database of a killed worker returns to the pool. A test that changes the tables makes its database
 * useless, and the next user drops it.
 */
export async function takeDatabase(server: string, run: TestRun): Promise<PooledDatabase> {
  for (let number = 1; ; number++) {
    if (inUse.has(number)) continue
    inUse.add(number)
    if (!(await tryLock(server, run.id, number))) {
      inUse.delete(number)
      continue
    }
    const name = `test_${run.id}_${number}`
    await prepareDatabase(server, run, name)
    return {
      name,
      async release() {
        if (!run.canEmpty) await onLockConnection(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
        await onLockConnection(server, 'SELECT pg_advisory_unlock($1, $2)', [run.id, number])
        inUse.delete(number)
      },
    }
  }
}

/** Numbers of the databases that this process uses: a session could take its own advisory lock a second time. */
const inUse = new Set<number>()

let connecting: Promise<pg.Client> | undefined
let lastQuery: Promise<unknown> = Promise.resolve()

/** Runs a statement on the connection that holds the locks of this process, after all earlier statements. */
function onLockConnection(server: string, sql: string, values: unknown[] = []): Promise<pg.QueryResult> {
  connecting ??= connect(server)
  const client = connecting
  const result = lastQuery.then(async () => (await client).query(sql, values))
  lastQuery = result.catch(() => {})
  return result
}

async function connect(server: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server, application_name: 'partita tests' })
  client.on('error', () => {})
  await client.connect()
  // The process may end while the connection is open.
  ;(client.connection.stream as Socket).unref()
  return client
}

async function tryLock(server: string, run: number, number: number): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_lock($1, $2) AS locked'
  const { rows } = await onLockConnection(server, sql, [run, number])
  return rows[0].locked
}

async function prepareDatabase(server: string, run: TestRun, name: string): Promise<void> {
  const { rows } = await onLockConnection(
    server,
    `SELECT (SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE datname = $1) AS ended
     FROM pg_database WHERE datname = $1`,
    [name],
  )
  if (rows.length > 0) {
    if (await isEmptied(databaseAt(server, name), run.fingerprint)) return
    await onLockConnection(server, `DROP DATABASE ${name} WITH (FORCE)`)
  }
  await onLockConnection(server, `CREATE DATABASE ${name} TEMPLATE ${run.template}`)
}

/**
 * Deletes all rows of a database. Returns false if its tables are not those of the template.
 *
 * Query plans depend on the size and the statistics of tables, and tests check plans. Tables that have statistics, or more than
 * the 10 pages that PostgreSQL assumes for a table without statistics, are truncated so that they are like new.
 */
async function isEmptied(url: string, fingerprint: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`
      SET session_replication_role = replica;
      SET synchronous_commit = off;
      DO $$
      DECLARE
        one name;
        measured text;
      BEGIN
        SELECT string_agg(quote_ident(relname), ', ') INTO measured FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migrations'
          AND (reltuples >= 0 OR pg_relation_size(oid) > 10 * 8192);
        IF measured IS NOT NULL THEN
          EXECUTE 'TRUNCATE ' || measured || ' CASCADE';
          DELETE FROM pg_statistic
          WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace);
        END IF;
        -- Most tables have never had a row.
        FOR one IN SELECT relname FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> 'migrations'
            AND pg_relation_size(oid) > 0
        LOOP
          EXECUTE format('DELETE FROM %I', one);
        END LOOP;
      END $$`)
    return (await fingerprintOf(client)) === fingerprint
  } finally {
    await client.end()
  }
}

/** Describes the schemas, tables, columns, indexes, constraints, triggers and migrations of a database. */
export async function fingerprintOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS md5 FROM (
      SELECT 'schema ' || nspname FROM pg_namespace WHERE nspname !~ '^pg_(temp|toast)'
      UNION ALL
      SELECT concat_ws(' ', relname, relkind, attname, atttypid, attnotnull, attisdropped)
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
      WHERE relnamespace = 'public'::regnamespace AND attnum > 0
      UNION ALL
      SELECT concat_ws(' ', conrelid::regclass, conname, contype) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
      UNION ALL
      SELECT concat_ws(' ', tgrelid::regclass, tgname) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL
      SELECT 'migration ' || name FROM migrations
    ) AS lines(line)`)
  return rows[0].md5
}

/** Whether this user may set `session_replication_role`. */
export async function canEmptyDatabases(server: string): Promise<boolean> {
  return onPostgres(server, ['SET session_replication_role = replica']).then(
    () => true,
    () => false,
  )
}
