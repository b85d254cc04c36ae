import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointsOf, tapsOf, withMovedTap, withTap } from './taps.ts'

describe('tapping the measures of a recording', () => {
  it('adds times in order, at most one for each measure and the end', () => {
    const taps = [1, 2.00049, 3, 4].reduce((all, time) => withTap(all, time, 3), [] as readonly number[])
    expect(taps).toEqual([1, 2, 3])
  })

  it('goes on from a place to which the user has gone back', () => {
    expect(withTap([1, 2, 3, 4], 2.5, 9)).toEqual([1, 2, 2.5])
  })

  it('moves a time between its neighbours', () => {
    expect(withMovedTap([1, 2, 3], 1, 2.4)).toEqual([1, 2.4, 3])
    expect(withMovedTap([1, 2, 3], 1, 5)).toEqual([1, 2.99, 3])
    expect(withMovedTap([1, 2, 3], 0, -1)).toEqual([0, 2, 3])
    expect(withMovedTap([1, 2, 3], 2, 60)).toEqual([1, 2, 60])
    expect(withMovedTap([1, 2, 3], 1, Number.NaN)).toEqual([1, 2, 3])
  })

  it('keeps the times in order, whatever the user does', () => {
    const action = fc.record({ index: fc.nat(9), seconds: fc.double({ min: -5, max: 50, noNaN: true }) })
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        let taps: readonly number[] = []
        for (const { index, seconds } of actions)
          taps = index < taps.length ? withMovedTap(taps, index, seconds) : withTap(taps, seconds, 10)
        expect(taps.every((tap, at) => at === 0 || tap > (taps[at - 1] ?? 0))).toBe(true)
      }),
    )
  })
})

describe('the points of taps', () => {
  const measures = ['a', 'b', 'a']

  it('name the measures in the order of playing, and the end', () => {
    expect(pointsOf([1, 2, 3, 4], measures)).toEqual([
      { type: 'measure', measureUuid: 'a', time: 1 },
      { type: 'measure', measureUuid: 'b', time: 2 },
      { type: 'measure', measureUuid: 'a', time: 3 },
      { type: 'end', time: 4 },
    ])
  })

  it('become taps again, up to a measure that has changed', () => {
    expect(tapsOf(pointsOf([1, 2, 3, 4], measures), measures)).toEqual([1, 2, 3, 4])
    expect(tapsOf(pointsOf([1, 2, 3], measures), ['a', 'c', 'a'])).toEqual([1])
  })
})
