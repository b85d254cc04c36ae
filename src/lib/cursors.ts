import { fail } from '../errors.ts'

/**
 * An opaque place in a sorted list: base64url of a JSON array, the list's order first, so that a cursor of one order is
 * not taken for one of another.
 * @param order names the order of the list, such as `title.asc`
 * @param keys the sort keys of the row at the place, the last one unique
 */
export function encodeCursor(order: string, keys: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([order, ...keys])).toString('base64url')
}

/**
 * The sort keys that a cursor names.
 * @param types what each key must be; numbers are integers
 * @throws INVALID_CURSOR when it is broken or belongs to another order
 */
export function decodeCursor<const Types extends readonly ('string' | 'number')[]>(
  param: 'next' | 'previous',
  cursor: string,
  order: string,
  types: Types,
): { [Index in keyof Types]: Types[Index] extends 'string' ? string : number } {
  const [cursorOrder, ...keys] = parse(cursor)
  const fits = keys.length === types.length && keys.every((key, index) => typeof key === types[index] && isStored(key))
  if (cursorOrder !== order || !fits) fail('INVALID_CURSOR', { param })
  return keys as unknown as { [Index in keyof Types]: Types[Index] extends 'string' ? string : number }
}

/** Whether a row can have this key. Nobody signs cursors, and PostgreSQL fails on what it could not have stored. */
function isStored(key: unknown): boolean {
  return typeof key === 'string' ? key.isWellFormed() && !key.includes('\0') : Number.isSafeInteger(key)
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
