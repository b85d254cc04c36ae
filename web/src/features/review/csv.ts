type Cell = string | number | undefined

/**
 * Writes a table as CSV (RFC 4180). The byte order mark tells programs that it is UTF-8. Text that a spreadsheet would read as a
 * formula gets an apostrophe in front, as in the exports of the server.
 */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')}`
}

function fieldOf(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
