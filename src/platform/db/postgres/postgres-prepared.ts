import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Row, StatementResult } from '../connection.ts'
import { type MakeRow, type ParseColumn, rowMaker } from '../row-maker.ts'

/** The connection of a client, as far as a query uses it. */
interface Connection {
  readonly stream: Duplex
}

/** The parts of `pg.Query` that its types leave out. They are called by the client of `pg`. */
interface ClientQuery extends pg.Submittable {
  name: string
  values: readonly unknown[]
  callback: (error: Error | null, result?: StatementResult) => void
  /** Sends Parse unless the connection knows the statement, then Bind, Describe, Execute and Sync. */
  prepare(connection: Connection): void
  hasBeenParsed(connection: Connection): boolean
}

const ClientQuery = pg.Query as unknown as new (
  text: string,
  callback: ClientQuery['callback'],
) => ClientQuery

interface Column {
  readonly name: string
  readonly dataTypeID: number
}

/** For each connection, what makes the rows of its prepared statements. */
const rowMakers = new WeakMap<Connection, Map<string, MakeRow>>()

const noRows: MakeRow = () => ({})

/**
 * A prepared statement that the server describes only once for each connection. To describe the rows of a statement with forty
 * columns takes the server as long as to find the row. The description stays valid: if a migration changes the columns, the
 * server refuses the statement (see `isStalePlan`).
 */
class PreparedQuery extends ClientQuery {
  readonly #types: pg.CustomTypesConfig
  readonly #rows: Row[] = []
  #connection: Connection | undefined
  #makeRow: MakeRow | undefined
  #affected = 0
  #error: Error | undefined

  constructor(config: PreparedConfig, callback: ClientQuery['callback']) {
    // A configuration would be copied for each query.
    super(config.text, callback)
    this.name = config.name
    this.values = config.values
    this.#types = config.types
  }

  override prepare(connection: Connection): void {
    this.#connection = connection
    this.#makeRow = this.hasBeenParsed(connection) ? rowMakers.get(connection)?.get(this.name) : undefined
    if (this.#makeRow === undefined) super.prepare(connection)
    else if (connection.stream.writable) connection.stream.write(execution(this.name, this.values))
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const parsers = fields.map(({ dataTypeID }) => parserOf(this.#types, dataTypeID))
    this.#makeRow = rowMaker(
      fields.map(({ name }) => name),
      parsers,
    )
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push((this.#makeRow as MakeRow)(fields))
    } catch (error) {
      this.#error ??= error as Error
    }
  }

  /** @param text the command with the number of rows: `UPDATE 3`, `INSERT 0 1` */
  handleCommandComplete({ text }: { text: string }): void {
    this.#affected = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    if (this.#connection) remember(this.#connection, this.name, this.#makeRow ?? noRows)
  }

  handleReadyForQuery(): void {
    if (this.#error) this.callback(this.#error)
    else this.callback(null, { rows: this.#rows, affected: this.#affected })
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

interface PreparedConfig {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly types: pg.CustomTypesConfig
}

/** Runs a statement that is prepared under its name on each connection. */
export function runPrepared(client: pg.Client, config: PreparedConfig): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery(config, (error, result) => {
      if (result) resolve(result)
      else reject(error)
    })
    client.query(query)
  })
}

/** Execute without a limit of rows, and Sync. */
const executeAndSync = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

/**
 * Returns the messages Bind, Execute and Sync for a prepared statement, whose results are texts.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function execution(name: string, values: readonly unknown[]): Buffer {
  const parameters = values.map(parameterOf)
  let valueBytes = 0
  for (const parameter of parameters) valueBytes += 4 + byteLength(parameter)
  const count = parameters.length
  // Length, name of the portal, name of the statement, formats, values, and the format of the results.
  const bindBytes = 4 + 1 + Buffer.byteLength(name) + 1 + 2 + 2 * count + 2 + valueBytes + 4
  const message = Buffer.allocUnsafe(1 + bindBytes + executeAndSync.length)
  let at = message.writeUInt8(0x42)
  at = message.writeInt32BE(bindBytes, at)
  at = message.writeUInt8(0, at)
  at += message.write(name, at)
  at = message.writeUInt8(0, at)
  at = message.writeInt16BE(count, at)
  for (const parameter of parameters) at = message.writeInt16BE(parameter instanceof Uint8Array ? 1 : 0, at)
  at = message.writeInt16BE(count, at)
  for (const parameter of parameters) {
    at = message.writeInt32BE(parameter === null ? -1 : byteLength(parameter), at)
    if (typeof parameter === 'string') {
      at += message.write(parameter, at)
    } else if (parameter) {
      message.set(parameter, at)
      at += parameter.length
    }
  }
  at = message.writeInt32BE(0x10000, at)
  message.set(executeAndSync, at)
  return message
}

/** @param value one that `checkValues` accepts */
function parameterOf(value: unknown): string | Uint8Array | null {
  return value === null || typeof value === 'string' || value instanceof Uint8Array ? value : String(value)
}

const byteLength = (parameter: string | Uint8Array | null): number =>
  parameter === null ? 0 : Buffer.byteLength(parameter)
