import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { browserMarks } from './browser-marks.ts'

const clock = { time: 1_800_000_000_000, now: () => clock.time }
const marks = browserMarks(createSecretKey(Buffer.alloc(32, 1)), clock)

it('knows a mark for a year, and only for the account for which it was made', () => {
  const mark = marks.make('otto')
  expect(mark).toMatch(/^[\w-]{44}$/)
  expect(marks.make('otto')).not.toBe(mark)
  expect([marks.isOf(mark, 'otto'), marks.isOf(mark, 'olga')]).toEqual([true, false])
  clock.time += 365 * 24 * 60 * 60 * 1000
  expect(marks.isOf(mark, 'otto')).toBe(true)
  clock.time += 1
  expect(marks.isOf(mark, 'otto')).toBe(false)
})

it('knows no mark that was changed, or made by another installation', () => {
  const mark = marks.make('otto')
  const bytes = Buffer.from(mark, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(marks.isOf(changed.toString('base64url'), 'otto')).toBe(false)
  }
  const foreign = browserMarks(createSecretKey(Buffer.alloc(32, 2)), clock).make('otto')
  for (const text of ['', 'x', mark.slice(1), `${mark}AAAA`, foreign]) expect(marks.isOf(text, 'otto')).toBe(false)
})
