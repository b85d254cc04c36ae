import { expect, it } from 'vitest'
import { intervalToKey, keyAfter, offeredIntervals, parameterOf } from './intervals.ts'

const keys = Array.from({ length: 15 }, (_, index) => index - 7)

it('reaches every key from every key by the shorter way, with whole steps', () => {
  for (const from of keys)
    for (const to of keys) {
      const interval = intervalToKey(from, to)
      if (!interval) {
        expect(from).toBe(to)
        continue
      }
      expect(Number.isInteger(interval.steps)).toBe(true)
      expect(Math.abs(interval.semitones)).toBeLessThanOrEqual(6)
      expect(from + 7 * interval.semitones - 12 * interval.steps).toBe(to)
      expect(keyAfter(from, parameterOf(interval))).toBe(to)
    }
})

it('offers each interval up to an octave once in both directions, each of a usual size', () => {
  expect(new Set(offeredIntervals.map(parameterOf)).size).toBe(24)
  for (const { semitones, steps } of offeredIntervals)
    expect(Math.abs(7 * semitones - 12 * steps)).toBeLessThanOrEqual(6)
})

it('respells a key of more than seven sharps or flats', () => {
  expect(keyAfter(4, '4,2')).toBe(-4)
  expect(keyAfter(0, undefined)).toBe(0)
})
