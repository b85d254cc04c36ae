import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'

/** What a browser keeps of an account that somebody has signed in to there; it opens nothing. */
export interface BrowserMarks {
  /** A mark for the browser in which this account was just signed in to: 44 characters of base64url. */
  make(account: string): string
  /** Whether we have made the mark for this account, within the last year. */
  isOf(mark: string, account: string): boolean
}

const year = 365 * 24 * 60 * 60 * 1000
/** Six bytes of the time, eleven random ones, sixteen of the HMAC. */
const [timeLength, headLength, signatureLength] = [6, 17, 16]

/** Signs with HMAC-SHA-256 (RFC 2104), cut to its first half (section 5). */
export function browserMarks(secret: KeyObject, clock: Clock): BrowserMarks {
  const signatureOf = (head: Uint8Array, account: string) =>
    createHmac('sha256', secret).update(head).update(account).digest().subarray(0, signatureLength)
  return {
    make(account) {
      const head = randomBytes(headLength)
      head.writeUIntBE(clock.now(), 0, timeLength)
      return Buffer.concat([head, signatureOf(head, account)]).toString('base64url')
    },
    isOf(mark, account) {
      const bytes = Buffer.from(mark, 'base64url')
      if (bytes.length !== headLength + signatureLength) return false
      const head = bytes.subarray(0, headLength)
      const age = clock.now() - head.readUIntBE(0, timeLength)
      return timingSafeEqual(bytes.subarray(headLength), signatureOf(head, account)) && age <= year
    },
  }
}
