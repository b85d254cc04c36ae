/** The greatest common divisor of two numbers, by Euclid's algorithm. */
export function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

/** The place of the last value that is not above `limit`; -1 if there is none. `values` are in order. */
export function placeAt(values: readonly number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
