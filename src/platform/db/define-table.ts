import type { ColumnTypes } from './column-types.ts'

/** What happens to a row when the row that it refers to is deleted. Without it, the deletion fails. */
export type OnDelete = 'cascade' | 'set null'

interface ColumnProperties {
  readonly type: keyof ColumnTypes
  readonly isNullable: boolean
  readonly isPrimaryKey: boolean
  readonly isUnique: boolean
  readonly defaultValue: string | number | undefined
  readonly reference:
    | { readonly target: `${string}.${string}`; readonly onDelete: OnDelete | undefined }
    | undefined
}

declare const valueType: unique symbol

/**
 * A column. `Value` is the type of its values in queries. Columns are NOT NULL unless `nullable` is called. Each method
 * returns a new column.
 */
export interface Column<Value> {
  /** Never set. It only carries the type. */
  readonly [valueType]?: Value
  readonly properties: ColumnProperties
  nullable(): Column<Value | null>
  primaryKey(): Column<Value>
  unique(): Column<Value>
  /** The value of rows that were inserted without one. */
  default(value: string | number): Column<Value>
  /** A foreign key. @param target `table.column` */
  references(target: `${string}.${string}`, onDelete?: OnDelete): Column<Value>
}

function column<Value>(properties: ColumnProperties): Column<Value> {
  const but = <Changed = Value>(changed: Partial<ColumnProperties>) =>
    column<Changed>({ ...properties, ...changed })
  return {
    properties,
    nullable: () => but<Value | null>({ isNullable: true }),
    primaryKey: () => but({ isPrimaryKey: true }),
    unique: () => but({ isUnique: true }),
    default: (defaultValue) => but({ defaultValue }),
    references: (target, onDelete) => but({ reference: { target, onDelete } }),
  }
}

const columnOf = <Value>(type: keyof ColumnTypes) =>
  column<Value>({
    type,
    isNullable: false,
    isPrimaryKey: false,
    isUnique: false,
    defaultValue: undefined,
    reference: undefined,
  })

/** Ids, codes and sort keys: text that is compared byte by byte. */
export const key = <Value extends string = string>() => columnOf<Value>('key')
/** Text that is never compared by order. JSON is text as well. */
export const text = <Value extends string = string>() => columnOf<Value>('text')
/** Integers up to 2^53: counts, and times in milliseconds since 1970. */
export const integer = <Value extends number = number>() => columnOf<Value>('integer')
/** A boolean: 0 or 1. */
export const flag = () => columnOf<0 | 1>('integer')
export const real = () => columnOf<number>('real')
export const bytes = () => columnOf<Uint8Array>('bytes')

export interface Index {
  readonly name: string
  readonly columns: readonly string[]
  readonly isUnique: boolean
  /** SQL of the rows that the index contains. Undefined for all rows. */
  readonly where: string | undefined
}

/** @param where SQL of the rows that the index contains; all rows without it */
export const index = (name: string, columns: readonly string[], where?: string): Index => ({
  name,
  columns,
  isUnique: false,
  where,
})

/**
 * Like `index`, but no two rows of the index may have equal values in these columns. NULL equals no other
 * value.
 */
export const uniqueIndex = (name: string, columns: readonly string[], where?: string): Index => ({
  ...index(name, columns, where),
  isUnique: true,
})

type Columns = Readonly<Record<string, Column<unknown>>>

export interface TableOptions<Name> {
  /** A primary key of several columns. */
  readonly primaryKey?: readonly Name[]
  /** Named constraints that the values of several columns are unique together. */
  readonly unique?: Readonly<Record<string, readonly Name[]>>
  readonly indexes?: readonly Index[]
}

/** The one definition of a table. Its DDL (create-tables.ts) and its row type (`RowOf`) both come from it. */
export interface Table<Defined extends Columns = Columns> {
  readonly columns: Defined
  readonly options: TableOptions<string>
}

export function table<Defined extends Columns>(
  columns: Defined,
  options: TableOptions<keyof Defined & string> = {},
): Table<Defined> {
  return { columns, options }
}

type ValueOf<Defined> = Defined extends Column<infer Value> ? Value : never

/** The row type of a table in queries. */
export type RowOf<Defined> =
  Defined extends Table<infer Of> ? { -readonly [Name in keyof Of]: ValueOf<Of[Name]> } : never

/** The rows of several tables by their names. */
export type RowsOf<Defined> = { [Name in keyof Defined]: RowOf<Defined[Name]> }
