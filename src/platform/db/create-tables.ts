import { type CreateTableBuilder, sql } from 'kysely'
import type { Column, Table } from './define-table.ts'
import type { MigrationTools } from './migrate.ts'

/** Creates these tables with their constraints and indexes, in an order in which every foreign key finds its table. */
export async function createTables(
  tools: MigrationTools,
  tables: Readonly<Record<string, Table>>,
): Promise<void> {
  for (const [name, table] of inReferenceOrder(tables)) await createTable(tools, name, table)
}

function inReferenceOrder(tables: Readonly<Record<string, Table>>): [string, Table][] {
  const ordered = new Map<string, Table>()
  function add(name: string, path: readonly string[]): void {
    const table = tables[name]
    if (!table) throw new Error(`${path.at(-1)} refers to ${name}, which is not defined`)
    if (path.includes(name)) throw new Error(`Tables refer to each other: ${path.join(', ')}`)
    if (ordered.has(name)) return
    for (const target of referencedBy(table)) if (target !== name) add(target, [...path, name])
    ordered.set(name, table)
  }
  for (const name of Object.keys(tables)) add(name, [])
  return [...ordered]
}

function referencedBy({ columns }: Table): string[] {
  return Object.values(columns).flatMap(({ properties: { reference } }) => {
    const [target] = reference?.target.split('.') ?? []
    return target ?? []
  })
}

async function createTable(tools: MigrationTools, name: string, { columns, options }: Table): Promise<void> {
  const { primaryKey, unique = {}, indexes = [] } = options
  let building: TableBuilder = tools.createTable(name)
  for (const [column, definition] of Object.entries(columns)) {
    building = addColumn(building, tools, column, definition)
  }
  if (primaryKey) building = building.addPrimaryKeyConstraint(`${name}_key`, [...primaryKey])
  for (const [constraint, names] of Object.entries(unique)) {
    building = building.addUniqueConstraint(constraint, [...names])
  }
  await building.execute()
  for (const { name: indexName, columns, isUnique, where } of indexes) {
    let index = tools.db.schema
      .createIndex(indexName)
      .on(name)
      .columns([...columns])
    if (isUnique) index = index.unique()
    if (where !== undefined) index = index.where(sql.raw<boolean>(where))
    await index.execute()
  }
}

type TableBuilder = CreateTableBuilder<string, string>

function addColumn(
  building: TableBuilder,
  { types }: MigrationTools,
  name: string,
  { properties }: Column<unknown>,
): TableBuilder {
  const { type, isNullable, isPrimaryKey, isUnique, defaultValue, reference } = properties
  return building.addColumn(name, types[type], (built) => {
    let column = built
    if (isPrimaryKey) column = column.primaryKey()
    else if (!isNullable) column = column.notNull()
    if (isUnique) column = column.unique()
    if (defaultValue !== undefined) column = column.defaultTo(defaultValue)
    if (reference) column = column.references(reference.target)
    if (reference?.onDelete) column = column.onDelete(reference.onDelete)
    return column
  })
}
