import { createHash } from 'node:crypto'
import type { DeleteResult, InsertResult, UpdateResult } from 'kysely'
import {
  type Compilable,
  type Expression,
  Kysely,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { connection, type Statement } from './connection.ts'
import type { Queries, Transaction } from './database.ts'
import { type DialectName, dialects } from './dialects.ts'
import type { Tables } from './tables.ts'

/** The parameters of a query while it is built: `p('id')` is a placeholder for the value of `id`. */
export interface Params<P> {
  <K extends keyof P & string>(name: K): Expression<P[K]>
  /**
   * Whether a column has one of the values of a list of any length, or of the rows of a query: `.where(p.isIn('id', 'ids'))`.
   * PostgreSQL has the values first and then searches an index of the column for them. With `in`, it can read the whole table
   * first, if it lacks statistics.
   */
  isIn(column: string, values: ListName<P> | Expression<unknown>): RawBuilder<SqlBool>
  /** The values of a list of any length, as rows with the column `value`. */
  list(name: ListName<P>): Expression<string>
  /**
   * The values of these columns in one text, a JSON array. If most of the rows are already cached, reading it
   * costs less than reading the columns, and shows whether a row has changed. Not for numbers with a
   * fraction: SQLite writes only 15 digits.
   */
  packed(columns: readonly string[]): RawBuilder<string>
}

type ListName<P> = { [K in keyof P]: P[K] extends readonly string[] ? K : never }[keyof P] & string
type Written = InsertResult | UpdateResult | DeleteResult
type RowOf<B> = B extends Compilable<infer R> ? R : never

/**
 * A compiled query. A read runs with any `Queries`, a write only with a `Transaction`. Resolves to the rows,
 * or to the number of written rows if the query returns none.
 */
export type Compiled<P, B> = (
  queries: B extends { readonly isSelectQueryBuilder: true } ? Queries : Transaction,
  parameters: P,
) => Promise<RowOf<B> extends Written ? number : RowOf<B>[]>

/**
 * Defines a query once, to be run with parameters on either database, inside and outside of transactions.
 * Building and compiling a query costs more than running it. Both happen at the first use. Later runs use the
 * cached prepared statement.
 *
 *     const findScore = compiled((db, p: Params<{ id: string }>) =>
 *       db.selectFrom('scores').selectAll().where('id', '=', p('id')))
 *     const [score] = await findScore(db.read, { id })
 *
 * The result of `build` must depend only on its arguments: no values of a request, no conditions. Pass an
 * array only to a parameter of `p.list` or `p.isIn`. `isScan` is described at `Statement`.
 */
export function compiled<P, B extends Compilable<unknown>>(
  build: (db: Pick<Kysely<Tables>, keyof Transaction & keyof Kysely<Tables>>, p: Params<P>) => B,
  { isScan = false }: Pick<Statement, 'isScan'> = {},
): Compiled<P, B> {
  const known = new Map<DialectName, Binding>()

  function bindingFor(dialect: DialectName): Binding {
    const earlier = known.get(dialect)
    if (earlier) return earlier
    const binding = compileFor(dialect, build, isScan)
    known.set(dialect, binding)
    return binding
  }

  return async (queries, parameters) => {
    const target = queries[connection]
    const { statement, bind, returnsRows } = bindingFor(target.dialect)
    const { rows, affected } = await target.run(statement, bind(parameters as Record<string, unknown>))
    return (returnsRows ? rows : affected) as never
  }
}

interface Binding {
  readonly statement: Statement
  readonly returnsRows: boolean
  bind(parameters: Record<string, unknown>): unknown[]
}

/** Marks the position of a parameter in the list of a query's values. */
interface Placeholder {
  readonly [placeholder]: string
  readonly asList: boolean
}

const placeholder: unique symbol = Symbol('placeholder')

function compileFor<P, B extends Compilable<unknown>>(
  dialect: DialectName,
  build: (db: Kysely<Tables>, p: Params<P>) => B,
  isScan: boolean,
): Binding {
  const query = build(builders[dialect], paramsOf(dialect) as Params<P>).compile()
  const places = query.parameters as readonly Placeholder[]
  const name = createHash('sha256').update(query.sql).digest('base64url')
  return {
    statement: { sql: query.sql, name, isScan },
    returnsRows:
      query.query.kind === 'SelectQueryNode' ||
      ('returning' in query.query && query.query.returning !== undefined),
    bind: (parameters) =>
      places.map((place) => {
        const value = parameters[place[placeholder]]
        return place.asList ? JSON.stringify(value) : value
      }),
  }
}

function paramsOf(dialect: DialectName): Params<Record<string, unknown>> {
  const place = (name: string, asList: boolean) => sql.val<Placeholder>({ [placeholder]: name, asList })
  const list = {
    sqlite: (name: string) => sql<string>`(select value from json_each(${place(name, true)}))`,
    postgres: (name: string) =>
      sql<string>`(select json_array_elements_text(${place(name, true)}::json) as value)`,
  }[dialect]
  const isIn = (column: string, values: string | Expression<unknown>) => {
    const query = typeof values === 'string' ? list(values) : sql`${values}`
    return dialect === 'postgres'
      ? sql<SqlBool>`${sql.ref(column)} = any(array${query})`
      : sql<SqlBool>`${sql.ref(column)} in ${query}`
  }
  const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))
  const packed = {
    sqlite: (columns: readonly string[]) => sql<string>`json_array(${refs(columns)})`,
    postgres: (columns: readonly string[]) => sql<string>`json_build_array(${refs(columns)})::text`,
  }[dialect]
  const single = (name: string) => place(name, false) as Expression<never>
  return Object.assign(single, { isIn, list, packed }) as never
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === 'object' && value !== null && placeholder in value
}

/**
 * Values that are the same in each run are part of the SQL text. A database uses a partial index only if the text of the query has
 * the condition of the index.
 */
class PostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (isPlaceholder(value)) super.appendValue(value)
    else this.appendImmediateValue(value)
  }
}

/** The same for SQLite. */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (isPlaceholder(value)) super.appendValue(value)
    else this.appendImmediateValue(value)
  }
}

const builders = {
  sqlite: new Kysely<Tables>({
    dialect: { ...dialects.sqlite, createQueryCompiler: () => new SqliteCompiler() },
  }),
  postgres: new Kysely<Tables>({
    dialect: { ...dialects.postgres, createQueryCompiler: () => new PostgresCompiler() },
  }),
}
