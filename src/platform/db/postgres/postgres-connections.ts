import pg from 'pg'
import type { Statement, StatementResult } from '../connection.ts'
import type { DatabaseOptions } from '../database.ts'
import { checkValues } from '../values.ts'
import { PreparedRun, sendPrepared } from './postgres-prepared.ts'

type Durability = NonNullable<DatabaseOptions['durability']>

/** The timeout of one statement on the server, in milliseconds. */
const statementTimeout = 30_000

/** How long a transaction may be idle, in milliseconds, before the server ends it and releases its locks. */
const idleTimeout = 10_000

/**
 * Types that are parsed as JavaScript numbers: integers, sums and counts. They are exact up to 2^53, which no
 * column exceeds.
 */
const numeric = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (numeric.has(oid) ? Number : pg.types.getTypeParser(oid, format)),
}

/** The settings of every connection. They override those of the server, the role and the database. */
const settings = [
  'default_transaction_read_only=on',
  // Queries are short. If the planner overestimates one, JIT would compile for a second to run for a
  // millisecond.
  'jit=off',
  // Statements are prepared and look few rows up by their parameters. The plan of one with many parts is otherwise made for
  // each of its runs, which takes longer than the run.
  'plan_cache_mode=force_generic_plan',
]

/**
 * The further settings of connections that serve requests. Every statement of a request looks rows up by an index, so its plan is
 * a nested loop. Until PostgreSQL has statistics about a table, it assumes that a key has one row in 200, and would read a large
 * table as a whole to join it with the hundred rows of a page.
 */
const lookupSettings = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off']

/** The options of a connection without timeouts. Outside of a read-write transaction it can only read. */
function configWithoutTimeouts(
  url: string,
  durability?: Durability,
  moreSettings: readonly string[] = [],
): pg.ClientConfig {
  const address = new URL(url)
  const urlOptions = address.searchParams.get('options')
  address.searchParams.delete('options')
  // `on`: an acknowledged write is on disk.
  const commit = `synchronous_commit=${durability === 'off' ? 'off' : 'on'}`
  return {
    connectionString: address.href,
    application_name: 'partita',
    options: [urlOptions, ...[...settings, ...moreSettings, commit].map((setting) => `-c ${setting}`)]
      .filter(Boolean)
      .join(' '),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
  }
}

/** The options of a connection that serves requests: with timeouts, and with pipelined statements. */
export function connectionConfig(url: string, durability?: Durability): pg.ClientConfig & { pipeline: true } {
  return {
    ...configWithoutTimeouts(url, durability, lookupSettings),
    pipeline: true,
    statement_timeout: statementTimeout,
    // If the network drops the answer, only the client can detect it.
    query_timeout: statementTimeout + 5_000,
    idle_in_transaction_session_timeout: idleTimeout,
  }
}

/** Opens a pool that drops broken connections. A broken connection never ends the process. */
export function openPool(url: string, size: number, durability?: Durability): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(url, durability), max: size, idleTimeoutMillis: 60_000 })
  // The server closed an idle connection. The pool has already dropped it.
  pool.on('error', () => {})
  // A connection in use broke. The statement that runs on it reports the error.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Opens a connection outside of the pools and without timeouts, for migrations, snapshots and restores. */
export async function connectOutsidePool(url: string, durability?: Durability): Promise<pg.Client> {
  const client = new pg.Client(configWithoutTimeouts(url, durability))
  client.on('error', () => {})
  await client.connect()
  return client
}

/** The prepared statements of each connection that are queued and not sent yet. */
const queued = new WeakMap<pg.Client, PreparedRun[]>()

/**
 * Queues what is issued while one event is handled. At its end, the prepared statements are sent together, and the server
 * answers them together. Every packet wakes the server or this process.
 */
function queueOf(client: pg.Client): PreparedRun[] {
  const known = queued.get(client)
  if (known) return known
  const runs: PreparedRun[] = []
  queued.set(client, runs)
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => {
    queued.delete(client)
    sendPrepared(client, runs)
    stream.uncork()
  })
  return runs
}

/** Creates a run of a named statement; undefined for a statement without a name, which `runOn` runs. */
export function runOfNamedStatement(
  { sql: text, name }: Statement,
  values: readonly unknown[],
): PreparedRun | undefined {
  if (name === undefined) return undefined
  checkValues(values)
  return new PreparedRun({ name, text, values, types })
}

/**
 * Runs a statement on a connection with one user. Outside of an explicit transaction a named statement must only read, because
 * it can be answered together with others.
 */
export async function runOn(
  client: pg.Client,
  statement: Statement,
  values: readonly unknown[],
): Promise<StatementResult> {
  const prepared = runOfNamedStatement(statement, values)
  if (prepared) {
    queueOf(client).push(prepared)
    return prepared.result
  }
  checkValues(values)
  sendPrepared(client, queueOf(client).splice(0))
  const { rows, rowCount } = await client.query({ text: statement.sql, values: values as unknown[] })
  return { rows, affected: rowCount ?? 0 }
}

/**
 * Runs a statement without parameters after those that were issued before.
 * @returns the command that the server has executed
 */
export async function execute(client: pg.Client, sql: string): Promise<string> {
  sendPrepared(client, queueOf(client).splice(0))
  return (await client.query(sql)).command
}
