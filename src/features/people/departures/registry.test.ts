import { describe, expect, it } from 'vitest'
import { departures, orderRules, stepNamesOf } from './registry.ts'

describe('the steps of a departure', () => {
  it.each(orderRules)('runs $first before $second on $event', ({ event, first, second }) => {
    const steps = stepNamesOf(event)
    expect(steps).toContain(first)
    expect(steps).toContain(second)
    expect(steps.indexOf(first)).toBeLessThan(steps.indexOf(second))
  })

  it.each(['erase', 'onMemberLeft'] as const)(
    'changes the row of the user in the last step of %s',
    (event) => {
      expect(stepNamesOf(event).at(-1)).toBe('people/users finish')
    },
  )

  it('lists every feature once', () => {
    const features = departures.map(({ feature }) => feature)
    expect(features).toEqual([...new Set(features)])
  })

  it('gives no two files of the export the same name', () => {
    const files = departures.flatMap((departure) => Object.keys(departure.exports ?? {}))
    expect(files).toEqual([...new Set(files)])
  })
})
