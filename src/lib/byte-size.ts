const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Reads a size such as `500MiB`, `2 GiB` or `0`. Returns undefined if the text is not a size below 2^53 bytes. */
export function parseBytes(text: string): number | undefined {
  const [, digits, unit = 'B'] = /^(\d+(?:\.\d+)?)\s*(B|KiB|MiB|GiB|TiB)?$/i.exec(text.trim()) ?? []
  const power = units.findIndex((known) => known.toLowerCase() === unit.toLowerCase())
  const bytes = Math.round(Number(digits) * 1024 ** power)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Writes a number of bytes with at most one decimal: `500 MiB`, `1.5 GiB`. */
export function formatBytes(bytes: number): string {
  const power = units.findLastIndex((_unit, index) => bytes >= 1024 ** index || index === 0)
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`
}
