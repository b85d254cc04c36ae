import { expect, it } from 'vitest'
import { ttlCache } from './ttl-cache.ts'

const groupOf = (value: string) => value.split(' ')[0] ?? ''

it('returns a loaded value until its TTL of 5 seconds is over', async () => {
  const cache = ttlCache({ groupOf })
  expect(cache.get('token', 0)).toBeUndefined()
  expect(await cache.load('token', 0, async () => 'Tess')).toBe('Tess')
  expect(cache.get('token', 4999)).toBe('Tess')
  expect(cache.get('token', 5000)).toBeUndefined()
})

it('does not cache undefined', async () => {
  const cache = ttlCache({ groupOf })
  expect(await cache.load('token', 0, async () => undefined)).toBeUndefined()
  expect(cache.get('token', 0)).toBeUndefined()
})

it('deletes the entries of one group and keeps the others', async () => {
  const cache = ttlCache({ groupOf })
  await cache.load('1', 0, async () => 'Tess phone')
  await cache.load('2', 0, async () => 'Tess desk')
  await cache.load('3', 0, async () => 'Otto phone')
  cache.deleteGroup('Tess')
  expect(['1', '2', '3'].map((key) => cache.get(key, 0))).toEqual([undefined, undefined, 'Otto phone'])
})

it('caches a value whose load was in flight when another group was deleted, but not one of that group', async () => {
  const cache = ttlCache({ groupOf })
  const { promise, resolve } = Promise.withResolvers<void>()
  const loading = ['Tess', 'Otto'].map((name) => cache.load(name, 0, () => promise.then(() => name)))
  cache.deleteGroup('Tess')
  resolve()
  expect(await Promise.all(loading)).toEqual(['Tess', 'Otto'])
  expect([cache.get('Tess', 0), cache.get('Otto', 0)]).toEqual([undefined, 'Otto'])
})

it('caches again after a failed load and after the deletion of a group', async () => {
  const cache = ttlCache({ groupOf })
  await expect(cache.load('token', 0, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  cache.deleteGroup('Tess')
  await cache.load('token', 0, async () => 'Tess')
  expect(cache.get('token', 0)).toBe('Tess')
})

it('evicts the oldest entry when it is full', async () => {
  const cache = ttlCache({ groupOf, maxEntries: 2 })
  for (const key of ['1', '2', '1', '3']) await cache.load(key, 0, async () => `Tess ${key}`)
  expect(['1', '2', '3'].map((key) => cache.get(key, 0))).toEqual(['Tess 1', undefined, 'Tess 3'])
})
