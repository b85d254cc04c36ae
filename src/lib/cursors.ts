import { fail } from '../errors.ts'

/**
 * Encodes a position in a sorted list as an opaque cursor: base64url of a JSON array of the order and the sort keys. The
 * order is included so that a cursor is rejected in a list with another order.
 * @param order sort column and direction, such as `title.asc`
 * @param keys the sort keys of the row at the position. The last key is unique.
 */
export function encodeCursor(order: string, keys: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([order, ...keys])).toString('base64url')
}

/** The types of sort keys. */
export type KeyType = 'string' | 'number' | 'real'

/**
 * Returns the sort keys of a cursor.
 * @param param the query parameter of the cursor, for the error
 * @param types the type of each key. A `number` is an integer, and `real` any number.
 * @throws INVALID_CURSOR if the cursor is malformed or belongs to another order
 */
export function decodeCursor<const Types extends readonly KeyType[]>(
  param: 'next' | 'previous',
  cursor: string,
  order: string,
  types: Types,
): { [Index in keyof Types]: Types[Index] extends 'string' ? string : number } {
  const [cursorOrder, ...keys] = parse(cursor)
  const fits = keys.length === types.length && keys.every((key, index) => isStorable(key, types[index]))
  if (cursorOrder !== order || !fits) fail('INVALID_CURSOR', { param })
  return keys as unknown as { [Index in keyof Types]: Types[Index] extends 'string' ? string : number }
}

/**
 * Whether a row can have this key. A client can forge a cursor, because cursors are not signed, and PostgreSQL fails on
 * text that it cannot store.
 */
function isStorable(key: unknown, type: KeyType | undefined): boolean {
  if (type !== 'string') return type === 'real' ? Number.isFinite(key) : Number.isSafeInteger(key)
  return typeof key === 'string' && key.isWellFormed() && !key.includes('\0')
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
