import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { trustedDevices } from './trusted-devices.ts'

const clock = { time: 1_800_000_000_000, now: () => clock.time }
const devices = trustedDevices(createSecretKey(Buffer.alloc(32, 1)), clock)

it('accepts a token for a year and only for its account', () => {
  const token = devices.issue('otto')
  expect(token).toMatch(/^[\w-]{44}$/)
  expect(devices.issue('otto')).not.toBe(token)
  expect([devices.verify(token, 'otto'), devices.verify(token, 'olga')]).toEqual([true, false])
  clock.time += 365 * 24 * 60 * 60 * 1000
  expect(devices.verify(token, 'otto')).toBe(true)
  clock.time += 1
  expect(devices.verify(token, 'otto')).toBe(false)
})

it('refuses a modified token and a token of another installation', () => {
  const token = devices.issue('otto')
  const bytes = Buffer.from(token, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(devices.verify(changed.toString('base64url'), 'otto')).toBe(false)
  }
  const foreign = trustedDevices(createSecretKey(Buffer.alloc(32, 2)), clock).issue('otto')
  for (const text of ['', 'x', token.slice(1), `${token}AAAA`, foreign])
    expect(devices.verify(text, 'otto')).toBe(false)
})
