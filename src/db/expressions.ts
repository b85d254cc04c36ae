import { type RawBuilder, sql } from 'kysely'

/** The ids of a group of rows, separated by commas; null where there is none. */
export function idList(column: string): RawBuilder<string | null> {
  return sql<string | null>`string_agg(${sql.ref(column)}, ',')`
}
