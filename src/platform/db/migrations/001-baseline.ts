import { createTables } from '../create-tables.ts'
import type { Migration } from '../migrate.ts'
import { schemaHash } from '../schema-hash.ts'
import { tables } from '../tables.ts'

/** Creates all tables as they are defined now, so that a new database needs no later migration. */
export const baseline: Migration = {
  name: '001-baseline',
  isBaseline: true,
  schemaHash: schemaHash(tables),
  up: (tools) => createTables(tools, tables),
}
