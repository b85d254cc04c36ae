import './table.css'
import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly title: string
  content(row: Row): ReactNode
  /** The cells of this column name their rows. */
  readonly isRowHeader?: boolean
  /** On a phone the title stands before each cell. Set this if the content needs no title. */
  readonly hasNoLabel?: boolean
  /** The cells have a box that selects their row. On a phone it is beside the rest of the card. */
  readonly isSelection?: boolean
}

interface Props<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** Returns a text that identifies the row in the list. */
  keyOf(row: Row): string
}

/** A table that becomes a list of cards on a phone. */
export function Table<Row>({ rows, columns, keyOf }: Props<Row>) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th scope="col" key={title}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <Cell key={column.title} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { title, content, isRowHeader = false, hasNoLabel = false, isSelection = false } = column
  if (isRowHeader) return <th scope="row">{content(row)}</th>
  if (isSelection) return <td className="select-row">{content(row)}</td>
  return <td data-label={hasNoLabel ? undefined : title}>{content(row)}</td>
}
