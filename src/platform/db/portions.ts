import type { Queries } from './database.ts'

/** The maximum number of rows that one query of a portioned read returns. */
export const portionSize = 200

/**
 * Reads the next rows of one user.
 * @param after key of the last row of the previous portion, '' for the first portion
 * @returns at most `portionSize` rows in the order of their keys. The key '~' marks a list that has only one portion.
 */
export type ReadPortion = (
  queries: Queries,
  user: string,
  after: string,
) => Promise<(object & { key: string })[]>

/** Runs a query that selects a column `key`, and returns the first `portionSize` rows in the order of that column. */
export function readPortion<Row>(query: {
  orderBy(column: 'key'): { limit(count: number): { execute(): Promise<Row[]> } }
}): Promise<Row[]> {
  return query.orderBy('key').limit(portionSize).execute()
}
