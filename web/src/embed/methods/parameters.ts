/** Returns parameters as an object. A call without parameters has none. */
export const object = (parameters: unknown): Readonly<Record<string, unknown>> =>
  typeof parameters === 'object' && parameters !== null ? (parameters as Record<string, unknown>) : {}

/** @throws Error for a value that is no number within the limits */
export function number(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== 'number' || Number.isNaN(value))
    throw new Error(`Parameter ${name} should be a number, not ${typeof value}`)
  if (value < least || value > most)
    throw new Error(`Parameter ${name} should be between ${least} and ${most}, not ${value}`)
  return value
}

/** @throws Error for a value that is not true or false */
export function flag(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean')
    throw new Error(`Parameter ${name} should be a boolean, not ${typeof value}`)
  return value
}

/** @throws Error for a value that is no text */
export function word(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Error(`Parameter ${name} should be a string, not ${typeof value}`)
  return value
}
