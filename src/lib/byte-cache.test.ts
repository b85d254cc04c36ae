import { expect, it } from 'vitest'
import { byteCache } from './byte-cache.ts'

const cached = (cache: ReturnType<typeof byteCache<number>>, keys: string) =>
  [...keys].filter((key) => cache.get(key) !== undefined).join('')

it('evicts the oldest values when they exceed its bytes', () => {
  const cache = byteCache<number>(10)
  for (const key of 'abcd') cache.set(key, 1, 3)
  expect(cached(cache, 'abcd')).toBe('bcd')
})

it('keeps a value that was used longer than one that was not', () => {
  const cache = byteCache<number>(10)
  for (const key of 'abc') cache.set(key, 1, 3)
  cache.get('a')
  cache.set('d', 1, 3)
  expect(cached(cache, 'abcd')).toBe('acd')
})

it('evicts a used value when all are used', () => {
  const cache = byteCache<number>(10)
  for (const key of 'abc') cache.set(key, 1, 3)
  cached(cache, 'abc')
  cache.set('d', 1, 9)
  expect(cached(cache, 'abcd')).toBe('d')
})

it('counts a replaced value once', () => {
  const cache = byteCache<number>(10)
  cache.set('a', 1, 3)
  for (let value = 0; value < 9; value++) cache.set('b', value, 7)
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 8])
})

it('refuses a value that is larger than the cache, and keeps no earlier value for its key', () => {
  const cache = byteCache<number>(10)
  cache.set('a', 1, 3)
  cache.set('b', 1, 3)
  cache.set('a', 2, 11)
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 1])
})
