import { afterEach, expect, it, vi } from 'vitest'
import { fromLocalField, timeZone, toLocalField } from './local-time.ts'

afterEach(() => void vi.unstubAllEnvs())

it.each([
  ['Europe/Berlin', '2026-11-27T17:00:00.000Z', '2026-11-27T18:00'],
  // Summer time: the same hour on the clock is another hour in UTC.
  ['Europe/Berlin', '2026-07-27T16:00:00.000Z', '2026-07-27T18:00'],
  ['America/New_York', '2026-11-27T23:30:00.000Z', '2026-11-27T18:30'],
  ['Australia/Adelaide', '2026-11-26T13:30:00.000Z', '2026-11-27T00:00'],
])('a date in %s keeps its time on the way to the field and back', (TZ, date, field) => {
  vi.stubEnv('TZ', TZ)
  expect(timeZone()).toBe(TZ)
  expect(toLocalField(date)).toBe(field)
  expect(fromLocalField(field)).toBe(date)
})

it('an empty field is no date', () => {
  expect([toLocalField(undefined), fromLocalField('')]).toEqual(['', null])
})
