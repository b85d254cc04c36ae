import { expect, it } from 'vitest'
import { turnBy } from './scrolling.ts'

/** Systems of 200 pixels with 100 between them. */
const systemsFrom = (first: number) =>
  Array.from({ length: 10 }, (_, index) => ({ top: first + index * 300, bottom: first + index * 300 + 200 }))
const band = { top: 50, bottom: 850 }

it('turns to the first system that is not visible as a whole', () => {
  // Visible: 66–266, 366–566 and the upper part of 666–866.
  expect(turnBy(systemsFrom(66), band, 1)).toBe(600)
})

it('turns back to a screen whose last system is the one before the first visible one', () => {
  // 666–866, 966–… is what was turned to; the first visible one is at 66.
  expect(turnBy(systemsFrom(66 - 600), band, -1)).toBe(-600)
})

it('skips no system in either direction', () => {
  const seen = new Set<number>()
  let offset = 66
  const look = () => {
    for (const [index, { top, bottom }] of systemsFrom(offset).entries())
      if (top >= band.top && bottom <= band.bottom) seen.add(index)
  }
  look()
  for (let turn = 0; turn < 6; turn++) {
    offset -= turnBy(systemsFrom(offset), band, 1)
    look()
  }
  expect([...seen]).toHaveLength(10)
  seen.clear()
  for (let turn = 0; turn < 8; turn++) {
    offset -= turnBy(systemsFrom(offset), band, -1)
    look()
  }
  expect(seen.has(0)).toBe(true)
})

it('turns by most of the window if a system is higher than it, or none is there', () => {
  const high = [{ top: 66, bottom: 2066 }]
  expect(turnBy(high, band, 1)).toBe(720)
  expect(turnBy([], band, -1)).toBe(-720)
})
