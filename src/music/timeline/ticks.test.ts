import { describe, expect, test } from 'vitest'
import { miniScore, note } from '../testing/mini-score.ts'
import { ticksPerQuarterOf } from './ticks.ts'

const divisions = (count: string | number) => `<attributes><divisions>${count}</divisions></attributes>`

describe('ticksPerQuarterOf', () => {
  test.each([
    ['quarters', [divisions(1) + note('C4', 1)], 960],
    ['64ths', [divisions(16) + note('C4', 1)], 960],
    ['128ths of triplets', [divisions(96) + note('C4', 1)], 960],
    ['septuplets', [divisions(7) + note('C4', 1)], 966],
    ['many divisions, but only a few are used', [divisions(10_080) + note('C4', 5040)], 960],
    ['several divisions', [divisions(9) + note('C4', 1), divisions(32) + note('C4', 1)], 1152],
    ['decimal divisions', [divisions('2.5') + note('C4', 1)], 960],
  ])('puts every note on a tick: %s', (_, measures, ticks) => {
    expect(ticksPerQuarterOf(miniScore(measures))).toBe(ticks)
  })

  test('drops the finest fractions if MIDI cannot express the number of ticks', () => {
    const score = miniScore([7, 11, 13, 32, 81].map((count) => divisions(count) + note('C4', 1)))
    const ticks = ticksPerQuarterOf(score)
    expect(ticks).toBeLessThanOrEqual(32_767)
    expect([7, 11, 13].map((count) => ticks % count)).toEqual([0, 0, 0])
  })
})
