import type { Row } from './connection.ts'

/** Creates a row from the values of its columns. */
export type MakeRow = (values: readonly unknown[]) => Row

/** Converts a value of a column that is not null. */
export type ParseColumn = (value: never) => unknown

/**
 * Generates a function that creates rows of these columns with one hidden class. A row that is built column by column, or comes
 * from node:sqlite, is a dictionary: creating and reading one with forty columns costs twice as much.
 * @param parsers by the position of the column; undefined for a column whose values are kept
 */
export function rowMaker(
  names: readonly string[],
  parsers: readonly (ParseColumn | undefined)[] = [],
): MakeRow {
  const fields = names.map((name, index) => {
    const value = `values[${index}]`
    const parsed = parsers[index] ? `${value} === null ? null : parse${index}(${value})` : value
    return `${JSON.stringify(name)}: ${parsed}`
  })
  const declarations = parsers.flatMap((parser, index) =>
    parser ? [`const parse${index} = parsers[${index}]`] : [],
  )
  const body = [...declarations, `return (values) => ({ ${fields.join(', ')} })`].join('\n')
  return new Function('parsers', body)(parsers) as MakeRow
}
