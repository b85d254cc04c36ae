import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { day } from '../../lib/durations.ts'

/**
 * Issues and verifies trusted-device tokens. A token proves that the account has signed in with the browser
 * before. It gives no access.
 */
export interface TrustedDevices {
  /** Issues a token of this account: 44 characters of base64url. */
  issue(account: string): string
  /** Whether this server issued the token for this account within `tokenLifetime`. */
  verify(token: string, account: string): boolean
}

/** How long a token is valid, in milliseconds. */
export const tokenLifetime = 365 * day
/** The lengths in bytes: the time, the time with eleven random bytes, and the truncated HMAC. */
const [timeLength, headLength, signatureLength] = [6, 17, 16]

/** Signs tokens with HMAC-SHA-256 (RFC 2104), truncated to its first half (section 5). */
export function trustedDevices(secret: KeyObject, clock: Clock): TrustedDevices {
  const signatureOf = (head: Uint8Array, account: string) =>
    createHmac('sha256', secret).update(head).update(account).digest().subarray(0, signatureLength)
  return {
    issue(account) {
      const head = randomBytes(headLength)
      head.writeUIntBE(clock.now(), 0, timeLength)
      return Buffer.concat([head, signatureOf(head, account)]).toString('base64url')
    },
    verify(token, account) {
      const bytes = Buffer.from(token, 'base64url')
      if (bytes.length !== headLength + signatureLength) return false
      const head = bytes.subarray(0, headLength)
      const age = clock.now() - head.readUIntBE(0, timeLength)
      return timingSafeEqual(bytes.subarray(headLength), signatureOf(head, account)) && age <= tokenLifetime
    },
  }
}
