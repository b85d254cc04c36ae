/**
 * Refuses values that the two databases would store differently or change silently: `undefined`, dates,
 * booleans, non-finite numbers, objects. Times are integer milliseconds, flags are 0 or 1, JSON is text.
 *
 * @throws TypeError with the position of the value. It is a programming error, never an error of the client.
 */
export function checkValues(values: readonly unknown[]): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    switch (typeof value) {
      case 'string':
      case 'bigint':
        continue
      case 'number':
        if (Number.isFinite(value)) continue
        break
      case 'object':
        if (value === null || value instanceof Uint8Array) continue
        break
    }
    throw new TypeError(`Value ${index + 1} of the statement is ${describe(value)}. ${adviceFor(value)}`)
  }
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return `an object (${value.constructor?.name ?? 'no prototype'})`
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value)
}

function adviceFor(value: unknown): string {
  if (value === undefined) return 'Write null for a missing value.'
  if (typeof value === 'boolean') return 'Flags are 0 or 1.'
  if (value instanceof Date) return 'Times are integer milliseconds since 1970.'
  return 'A column holds text, a finite number, bytes or null.'
}
