import { expect, it } from 'vitest'
import { idGenerator, isId } from './ids.ts'

it('gives ids that are in order even when the clock stands still or steps back', () => {
  let now = 1_800_000_000_000
  const newId = idGenerator({ now: () => now })
  const ids = Array.from({ length: 70_000 }, () => newId())
  now -= 5000
  ids.push(newId(), newId())
  now += 10_000
  ids.push(newId())
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every(isId)).toBe(true)
})

it('begins an id with its time, so that rows of all tables lie in the order of their making', () => {
  const newId = idGenerator({ now: () => 0x0123456789ab })
  expect(newId().slice(0, 12)).toBe('0123456789ab')
})

it.each(['', '0123456789abcdef0123456', '0123456789ABCDEF01234567', '0123456789abcdef0123456g', 'drive-1'])(
  'does not take %j for an id',
  (text) => expect(isId(text)).toBe(false),
)
