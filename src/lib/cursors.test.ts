import { expect, it } from 'vitest'
import type { Failure } from '../errors.ts'
import { decodeCursor, encodeCursor } from './cursors.ts'

it('decodes the keys that were encoded', () => {
  const cursor = encodeCursor('title.asc', ['fröhlich/ +', '0123456789abcdef01234567'])
  expect(cursor).toMatch(/^[\w-]+$/)
  expect(decodeCursor('next', cursor, 'title.asc', ['string', 'string'])).toEqual([
    'fröhlich/ +',
    '0123456789abcdef01234567',
  ])
})

it.each([
  ['of another order', encodeCursor('title.desc', ['a', 'b'])],
  ['with another number of keys', encodeCursor('title.asc', ['a'])],
  ['with a key of another type', encodeCursor('title.asc', [1, 'b'])],
  ['that is not JSON', Buffer.from('nonsense').toString('base64url')],
  ['that is not an array', Buffer.from('{}').toString('base64url')],
  ['that is empty', ''],
])('refuses a cursor %s', (_case, cursor) => {
  expect(() => decodeCursor('previous', cursor, 'title.asc', ['string', 'string'])).toThrow(
    expect.objectContaining({ code: 'INVALID_CURSOR', param: 'previous' }) as Failure,
  )
})
