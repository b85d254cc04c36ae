import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PageStart } from '../lib/keyset.ts'

/** The ways to read a sorted list; each is a query of its own, compiled once. */
export interface KeysetVariant {
  readonly direction: 'asc' | 'desc'
  readonly position: PageStart['position']
  /** Written into the query: SQLite takes half as long again when it does not know how many rows are wanted. */
  readonly limit: number
}

/** The parameters that every such query has. */
export interface KeysetParams {
  key: string | number
  id: string
}

/**
 * The order, and the condition that begins a page after a row, for a list sorted by `key` and then by `id`. With an index
 * on both, a page costs the same however deep it is.
 * @param start the parameters for the row before the page
 */
export function keyset(
  { direction, position, limit }: KeysetVariant,
  key: string,
  id: string,
  start: { key: Expression<unknown>; id: Expression<unknown> },
): { where: RawBuilder<SqlBool>; orderBy: RawBuilder<unknown>; limit: RawBuilder<number> } {
  const ascending = (direction === 'asc') !== (position === 'previous')
  const order = sql.raw(ascending ? 'asc' : 'desc')
  const comparison = sql.raw(ascending ? '>' : '<')
  return {
    where:
      position === 'first'
        ? sql<SqlBool>`1 = 1`
        : sql<SqlBool>`(${sql.ref(key)}, ${sql.ref(id)}) ${comparison} (${start.key}, ${start.id})`,
    orderBy: sql`${sql.ref(key)} ${order}, ${sql.ref(id)} ${order}`,
    limit: sql.lit(limit),
  }
}

/** One compiled query for each variant of a list, made when it is first read. */
export function forEachVariant<Variant extends object, Query>(
  make: (variant: Variant) => Query,
): (variant: Variant) => Query {
  const queries = new Map<string, Query>()
  return (variant) => {
    const name = JSON.stringify(variant)
    const known = queries.get(name)
    if (known) return known
    const query = make(variant)
    queries.set(name, query)
    return query
  }
}
