import { expect, it } from 'vitest'
import { steadyClock } from './clock.ts'
import { hour, minute } from './durations.ts'

const start = 1_800_000_000_000

it('stands still while the system’s clock is up to an hour behind', () => {
  const system = { time: start, now: () => system.time }
  const clock = steadyClock(system)
  expect(clock.now()).toBe(start)
  system.time = start - hour
  expect(clock.now()).toBe(start)
  system.time = start + 1
  expect(clock.now()).toBe(start + 1)
})

it('follows the system’s clock back if it was ahead by more than an hour', () => {
  const system = { time: start + 2 * hour, now: () => system.time }
  const clock = steadyClock(system)
  clock.now()
  system.time = start
  expect(clock.now()).toBe(start)
})

it('begins no earlier than the latest known time', () => {
  expect(steadyClock({ now: () => start }, start + minute).now()).toBe(start + minute)
})
