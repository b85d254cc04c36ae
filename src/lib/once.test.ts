import { expect, it } from 'vitest'
import { once } from './once.ts'

it('computes a value once', () => {
  let calls = 0
  const value = once(() => ++calls)
  expect([value(), value(), calls]).toEqual([1, 1, 1])
})

it('computes again after a rejection, and shares one promise until then', async () => {
  let calls = 0
  const value = once(async () => {
    if (++calls === 1) throw new Error('not now')
    return calls
  })
  const [first, second] = [value(), value()]
  expect(first).toBe(second)
  await expect(first).rejects.toThrow('not now')
  expect([await value(), await value(), calls]).toEqual([2, 2, 2])
})
