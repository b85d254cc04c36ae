/**
 * The roles of a table. The elements cannot be those of a table: the same ones are a list of sheets in the other layout, and only
 * a part of the rows exists.
 */
export const tableRoles = {
  table: (label: string) => ({ role: 'table', 'aria-label': label, 'aria-rowcount': -1 }),
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  sortableHead: (sort: 'ascending' | 'descending' | 'none') =>
    ({ role: 'columnheader', 'aria-sort': sort }) as const,
  cell: { role: 'cell' },
} as const
