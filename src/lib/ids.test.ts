import { expect, it } from 'vitest'
import { idGenerator, isId } from './ids.ts'

it('makes ids in ascending order even if the clock stands still or steps back', () => {
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

it('makes ids that sort after the latest existing one', () => {
  const latest = idGenerator({ now: () => 1_800_000_000_000 })()
  expect(idGenerator({ now: () => 1_700_000_000_000 }, latest)() > latest).toBe(true)
})

it('starts each id with the time, so that rows are stored in the order of their creation', () => {
  const newId = idGenerator({ now: () => 0x0123456789ab })
  expect(newId().slice(0, 12)).toBe('0123456789ab')
})

it.each(['', '0123456789abcdef0123456', '0123456789ABCDEF01234567', '0123456789abcdef0123456g', 'drive-1'])(
  'does not accept %j as an id',
  (text) => expect(isId(text)).toBe(false),
)
