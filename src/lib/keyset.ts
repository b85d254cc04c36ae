import { fail } from '../errors.ts'
import { decodeCursor, encodeCursor, type KeyType } from './cursors.ts'
import { isId } from './ids.ts'

/** The query parameters of a sorted list. */
export interface PageRequest {
  sort: string
  direction: 'asc' | 'desc'
  limit: number
  next?: string | undefined
  previous?: string | undefined
}

/** The start of a page and its direction. Rows of a `previous` page are read backwards and reversed afterwards. */
export interface PageStart {
  position: 'first' | 'next' | 'previous'
  /** The sort key and the id of the row next to the page. */
  key: string | number
  id: string
  /** Number of rows to read: at least one more than the page has, to find out whether there is another page. */
  limit: number
}

/** The list is short because each size is a separate query; see `KeysetVariant`. */
const readSizes = [2, 11, 26, 51, 101, 251, 1001]

/**
 * Returns the start of the requested page.
 * @param keyType the type of the sort key of this order
 * @throws INVALID_CURSOR if the cursor is malformed or belongs to another order
 */
export function pageStart(request: PageRequest, keyType: KeyType): PageStart {
  const limit = readSizes.find((size) => size > request.limit) ?? request.limit + 1
  const position = request.next ? 'next' : request.previous ? 'previous' : 'first'
  if (position === 'first') return { position, key: keyType === 'string' ? '' : 0, id: '', limit }
  const cursor = request[position] ?? ''
  const [key, id] = decodeCursor(position, cursor, orderOf(request), [keyType, 'string'])
  if (!isId(id)) fail('INVALID_CURSOR', { param: position })
  return { position, key, id, limit }
}

/**
 * Returns the rows of the page in the order of the list, and the cursors of the next and the previous page.
 * @param rows the rows that were read, at most `limit` of the page's start
 * @param keyOf returns the sort key of a row
 */
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
