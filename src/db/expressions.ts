import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** The ids of a group of rows, separated by commas; null where there is none. */
export function idList(column: string): RawBuilder<string | null> {
  return sql<string | null>`string_agg(${sql.ref(column)}, ',')`
}

/**
 * Whether a text matches all patterns of `like`, where capitals are not to be told from other letters.
 * @param patterns as `p.list` gives them
 */
export function matchesAll(column: string, patterns: Expression<string>): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from ${patterns} as pattern where ${sql.ref(column)} not like pattern.value escape '\\')`
}

/** The pattern of `like` for what has a text in it, whatever characters that has. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
