/**
 * Returns a table as CSV that spreadsheet programs open with the right characters. A cell that such a program would take for
 * a formula is preceded by an apostrophe.
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const cell = (value: string) => {
    const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
    return `"${harmless.replaceAll('"', '""')}"`
  }
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/** Lets the browser save a file. */
export function saveFile(name: string, content: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type: 'text/csv' }))
  link.download = name
  link.click()
  // The browser reads the file after this turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
