import { expect, it } from 'vitest'
import { clockHour, latestClockHour } from './zoned-time.ts'

const iso = (time: number) => new Date(time).toISOString()
const at = (text: string) => Date.parse(text)

it.each([
  ['UTC', '2030-01-07T08:00:00Z', 0, 16, '2030-01-07T16:00:00.000Z'],
  ['Europe/Berlin', '2030-01-07T08:00:00Z', 1, 0, '2030-01-07T23:00:00.000Z'],
  // The day has begun there already.
  ['Europe/Berlin', '2030-01-07T23:30:00Z', 0, 16, '2030-01-08T15:00:00.000Z'],
  ['Asia/Kolkata', '2030-01-07T08:00:00Z', 0, 16, '2030-01-07T10:30:00.000Z'],
  ['America/St_Johns', '2030-01-07T02:00:00Z', 0, 16, '2030-01-06T19:30:00.000Z'],
  // The clocks change in the night between.
  ['Europe/Berlin', '2030-03-30T20:00:00Z', 1, 16, '2030-03-31T14:00:00.000Z'],
  ['Europe/Berlin', '2030-03-30T20:00:00Z', 2, 0, '2030-03-31T22:00:00.000Z'],
  ['America/New_York', '2030-11-02T20:00:00Z', 1, 16, '2030-11-03T21:00:00.000Z'],
  // The clocks show no two o'clock on this day.
  ['Europe/Berlin', '2030-03-30T20:00:00Z', 1, 2, '2030-03-31T01:00:00.000Z'],
])('in %s at %s, the hour of a day is the right time: %s days later at %s', (zone, now, day, hour, time) => {
  expect(iso(clockHour(at(now), zone, { day, hour }))).toBe(time)
})

it('finds the latest hour of any day and of a day of the week', () => {
  const latest = (now: string, weekday?: number) =>
    iso(latestClockHour(at(now), 'Europe/Berlin', { hour: 16, ...(weekday !== undefined && { weekday }) }))
  // A Monday.
  expect(latest('2030-01-07T14:59:59Z')).toBe('2030-01-06T15:00:00.000Z')
  expect(latest('2030-01-07T15:00:00Z')).toBe('2030-01-07T15:00:00.000Z')
  expect(latest('2030-01-07T14:59:59Z', 1)).toBe('2029-12-31T15:00:00.000Z')
  expect(latest('2030-01-12T12:00:00Z', 1)).toBe('2030-01-07T15:00:00.000Z')
  expect(latest('2030-04-02T12:00:00Z', 1)).toBe('2030-04-01T14:00:00.000Z')
})
