import { createHash } from 'node:crypto'
import type { Table } from './define-table.ts'

/** Returns a hash of table definitions. The order of tables and columns does not change it. */
export function schemaHash(tables: Readonly<Record<string, Table>>): string {
  return createHash('sha256').update(JSON.stringify(tables, withSortedKeys)).digest('hex')
}

const withSortedKeys = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
