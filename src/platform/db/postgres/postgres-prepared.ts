import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Row, StatementResult } from '../connection.ts'
import { type MakeRow, type ParseColumn, rowMaker } from '../row-maker.ts'
import { executionOf, sync } from './postgres-messages.ts'

/** The connection of a client, as far as a query uses it. */
interface Connection {
  readonly stream: Duplex
}

/** The parts of `pg.Query` that its types leave out. They are called by the client of `pg`. */
interface ClientQuery extends Omit<pg.Submittable, 'submit'> {
  name: string
  values: readonly unknown[]
  callback: (error: Error | null, result?: unknown) => void
  /** Sends its messages. */
  submit(connection: Connection): void
  /** Sends Parse unless the connection knows the statement, then Bind, Describe, Execute and Sync. */
  prepare(connection: Connection): void
}

const ClientQuery = pg.Query as unknown as new (
  text: string,
  callback: ClientQuery['callback'],
) => ClientQuery

interface Column {
  readonly name: string
  readonly dataTypeID: number
}

/** For each connection, what makes the rows of the statements that it has run. */
const rowMakers = new WeakMap<Connection, Map<string, MakeRow>>()

const noRows: MakeRow = () => ({})

/** A statement that is prepared under its name, with its values. */
interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly types: pg.CustomTypesConfig
}

/** One run of a prepared statement, which `sendPrepared` sends. */
export class PreparedRun {
  readonly statement: PreparedStatement
  /** Settled when the server has answered. */
  readonly result: Promise<StatementResult>
  makeRow: MakeRow | undefined
  readonly #rows: Row[] = []
  #resolve!: (result: StatementResult) => void
  #reject!: (error: unknown) => void
  #error: unknown

  constructor(statement: PreparedStatement) {
    this.statement = statement
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  describe(fields: readonly Column[]): void {
    const { types } = this.statement
    const parsers = fields.map(({ dataTypeID }) => parserOf(types, dataTypeID))
    this.makeRow = rowMaker(
      fields.map(({ name }) => name),
      parsers,
    )
  }

  addRow(fields: readonly (string | null)[]): void {
    try {
      this.#rows.push((this.makeRow as MakeRow)(fields))
    } catch (error) {
      this.#error ??= error
    }
  }

  /** @param text the command with the number of rows: `UPDATE 3`, `INSERT 0 1` */
  complete(text: string): void {
    const affected = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    if (this.#error) this.fail(this.#error)
    else this.#resolve({ rows: this.#rows, affected })
  }

  fail(error: unknown): void {
    this.#reject(error)
  }
}

/** The first run of a statement on a connection: the server parses it and describes its rows. */
class FirstRun extends ClientQuery {
  readonly #run: PreparedRun
  #connection: Connection | undefined
  #command = ''

  constructor(run: PreparedRun) {
    const { name, text, values } = run.statement
    // A configuration would be copied for each query.
    super(text, (error) => {
      if (error) run.fail(error)
      else run.complete(this.#command)
    })
    this.name = name
    this.values = values
    this.#run = run
  }

  override prepare(connection: Connection): void {
    this.#connection = connection
    super.prepare(connection)
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#run.describe(fields)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#run.addRow(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#command = text
    if (this.#connection) remember(this.#connection, this.name, this.#run.makeRow ?? noRows)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }
}

/**
 * Runs of statements that the connection knows, which the server answers together.
 *
 * - The server describes a statement only at its first run. To describe the rows of a statement with forty columns takes it as
 *   long as to find the row. The description stays valid: if a migration changes the columns, the server refuses the statement
 *   (see `isStalePlan`).
 * - One Sync ends all runs. After a Sync the server ends its transaction and sends what it has written, which takes a third of the
 *   time of a short read, and wakes this process.
 *
 * The server skips the runs after one that fails. They are sent again, each in a batch of its own, because none of them began.
 * @see https://www.postgresql.org/docs/current/protocol-flow.html "Pipelining"
 */
class Batch extends ClientQuery {
  readonly #client: pg.Client
  readonly #runs: readonly PreparedRun[]
  /** The position of the run that the server answers. */
  #at = 0

  constructor(client: pg.Client, runs: readonly PreparedRun[]) {
    super('', () => {})
    this.#client = client
    this.#runs = runs
  }

  override submit({ stream }: Connection): void {
    const messages = this.#runs.map(({ statement }) => executionOf(statement.name, statement.values))
    if (stream.writable) stream.write(Buffer.concat([...messages, sync]))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#runs[this.#at]?.addRow(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#runs[this.#at++]?.complete(text)
  }

  handleError(error: Error): void {
    const [failed, ...skipped] = this.#runs.slice(this.#at)
    this.#at = this.#runs.length
    failed?.fail(error)
    for (const run of skipped) {
      if (error instanceof pg.DatabaseError) this.#client.query(new Batch(this.#client, [run]))
      else run.fail(error)
    }
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }
}

function remember(connection: Connection, name: string, makeRow: MakeRow): void {
  const known = rowMakers.get(connection) ?? new Map<string, MakeRow>()
  rowMakers.set(connection, known.set(name, makeRow))
}

const { builtins } = pg.types
const texts: ReadonlySet<number> = new Set([builtins.TEXT, builtins.VARCHAR, builtins.BPCHAR])

const parserOf = (types: pg.CustomTypesConfig, type: number): ParseColumn | undefined =>
  texts.has(type) ? undefined : (types.getTypeParser(type, 'text') as ParseColumn)

/**
 * Sends statements to run in this order. Each is prepared under its name on each connection. Outside of an explicit transaction
 * they must only read, because the server rolls back a batch if one of its statements fails.
 */
export function sendPrepared(client: pg.Client, runs: readonly PreparedRun[]): void {
  const known = rowMakers.get(client.connection)
  let batch: PreparedRun[] = []
  const sendBatch = () => {
    if (batch.length > 0) client.query(new Batch(client, batch))
    batch = []
  }
  for (const run of runs) {
    run.makeRow = known?.get(run.statement.name)
    if (run.makeRow) batch.push(run)
    else {
      sendBatch()
      client.query(new FirstRun(run))
    }
  }
  sendBatch()
}
