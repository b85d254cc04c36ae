import pg from 'pg'
import type { Statement, StatementResult } from '../connection.ts'
import { checkValues } from '../values.ts'

/** What one statement may take on the server, in milliseconds. */
const statementTimeout = 30_000

/** How long a transaction may stay without a statement, in milliseconds, before the server ends it and its locks. */
const idleTimeout = 10_000

/** Integers, sums and counts as numbers; JavaScript's are exact up to 2^53, which no column of ours reaches. */
const numeric = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (numeric.has(oid) ? Number : pg.types.getTypeParser(oid, format)),
}

/** What a connection begins with, whatever the server, the role or the database says otherwise. */
const settings = [
  'default_transaction_read_only=on',
  // What is acknowledged is on disk.
  'synchronous_commit=on',
  // Our queries are short; one whose cost is guessed too high would be compiled for a second and run for a millisecond.
  'jit=off',
]

/** A connection without limits of time. Outside of a transaction that says otherwise it can only read. */
function patientConfig(url: string): pg.ClientConfig {
  const address = new URL(url)
  const given = address.searchParams.get('options')
  address.searchParams.delete('options')
  return {
    connectionString: address.href,
    application_name: 'partita',
    options: [given, ...settings.map((setting) => `-c ${setting}`)].filter(Boolean).join(' '),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
  }
}

/** How connections are made that serve requests: with limits of time, and statements sent without waiting for answers. */
export function connectionConfig(url: string): pg.ClientConfig & { pipeline: true } {
  return {
    ...patientConfig(url),
    pipeline: true,
    statement_timeout: statementTimeout,
    // Where the network swallows the answer, nobody but this side can notice.
    query_timeout: statementTimeout + 5_000,
    idle_in_transaction_session_timeout: idleTimeout,
  }
}

/** A pool whose broken connections are dropped and never end the process. */
export function openPool(url: string, size: number): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(url), max: size, idleTimeoutMillis: 60_000 })
  // An idle connection that the server closes; the pool has dropped it already.
  pool.on('error', () => {})
  // One in use; whoever uses it meets the error by the statement that it runs.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** A connection of its own without any limit of time, for migrations, snapshots and restoring. */
export async function connectAlone(url: string): Promise<pg.Client> {
  const client = new pg.Client(patientConfig(url))
  client.on('error', () => {})
  await client.connect()
  return client
}

/** When what is asked of a connection is sent: each piece wakes the server by itself, so several go in one. */
type Sending = (send: () => void) => unknown

/** For one who waits alone: what is asked while one event is handled. */
const atOnce: Sending = (send) => process.nextTick(send)

/** For a connection that many share: what is asked in one turn of the event loop. */
export const atEndOfTurn: Sending = (send) => setImmediate(send)

/** Connections that have something to send. */
const sending = new WeakSet<pg.Client>()

function sendTogether(client: pg.Client, when: Sending): void {
  if (sending.has(client)) return
  sending.add(client)
  const { stream } = client.connection
  stream.cork()
  when(() => {
    sending.delete(client)
    stream.uncork()
  })
}

export async function runOn(
  client: pg.Client,
  { sql, name }: Statement,
  values: readonly unknown[],
  when = atOnce,
): Promise<StatementResult> {
  checkValues(values)
  sendTogether(client, when)
  const query = { text: sql, values: values as unknown[] }
  const { rows, rowCount } = await client.query(name === undefined ? query : { ...query, name })
  return { rows, affected: rowCount ?? 0 }
}
