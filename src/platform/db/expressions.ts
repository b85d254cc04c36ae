import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'

/** The ids of a group of rows, separated by commas. Null for an empty group. */
export function idList(column: string): RawBuilder<string | null> {
  return sql<string | null>`string_agg(${sql.ref(column)}, ',')`
}

/**
 * Whether a text matches all `like` patterns. The column must hold text without case differences, for example
 * sort keys.
 * @param patterns a list from `p.list`
 */
export function matchesAll(column: string, patterns: Expression<string>): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from ${patterns} as pattern where ${sql.ref(column)} not like pattern.value escape '\\')`
}

/** Returns the `like` pattern for texts that contain a text. Special characters are escaped. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
