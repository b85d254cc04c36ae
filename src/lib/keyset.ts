import { fail } from '../errors.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'
import { isId } from './ids.ts'

/** What a caller may ask of a sorted list. */
export interface PageRequest {
  sort: string
  direction: 'asc' | 'desc'
  limit: number
  next?: string | undefined
  previous?: string | undefined
}

/** From where a page is read, and which way: `previous` reads backwards and is turned afterwards. */
export interface PageStart {
  position: 'first' | 'next' | 'previous'
  /** The sort key and the id of the row before the page. */
  key: string | number
  id: string
  /** How many rows to read: at least one more than fit on the page, so that it is known whether there is another. */
  limit: number
}

/** So few, because each is a query of its own; see `KeysetVariant`. */
const readSizes = [2, 11, 26, 51, 101, 251, 1001]

/**
 * Where the asked page begins.
 * @param keyType what the sort key of this order is
 * @throws INVALID_CURSOR
 */
export function pageStart(request: PageRequest, keyType: 'string' | 'number'): PageStart {
  const limit = readSizes.find((size) => size > request.limit) ?? request.limit + 1
  const position = request.next ? 'next' : request.previous ? 'previous' : 'first'
  if (position === 'first') return { position, key: keyType === 'string' ? '' : 0, id: '', limit }
  const cursor = request[position] ?? ''
  const [key, id] = decodeCursor(position, cursor, orderOf(request), [keyType, 'string'])
  if (!isId(id)) fail('INVALID_CURSOR', { param: position })
  return { position, key, id, limit }
}

/** The rows of the page in the order of the list, and the cursors of its neighbours. */
export function pageOf<Row extends { id: string }>(
  request: PageRequest,
  { position }: PageStart,
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
): { rows: Row[]; cursors: { next?: string | undefined; previous?: string | undefined } } {
  const hasMore = rows.length > request.limit
  const page = rows.slice(0, request.limit)
  if (position === 'previous') page.reverse()
  const cursorAt = (row: Row | undefined) => row && encodeCursor(orderOf(request), [keyOf(row), row.id])
  const hasNext = position === 'previous' || hasMore
  const hasPrevious = position === 'next' || (position === 'previous' && hasMore)
  return {
    rows: page,
    cursors: {
      next: hasNext ? cursorAt(page.at(-1)) : undefined,
      previous: hasPrevious ? cursorAt(page[0]) : undefined,
    },
  }
}

const orderOf = ({ sort, direction }: PageRequest) => `${sort}.${direction}`
