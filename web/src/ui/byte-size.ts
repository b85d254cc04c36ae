const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** Returns a number of bytes in the largest unit in which it is at least 1, such as `1.5 GiB`. */
export function sizeIn(language: string, bytes: number): string {
  const power = Math.max(
    units.findLastIndex((_unit, index) => bytes >= 1024 ** (index + 1)),
    0,
  )
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  return `${number.format(bytes / 1024 ** (power + 1))} ${units[power]}`
}
