import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { UserRow } from '../users/store.ts'

type Receiver = Pick<UserRow, 'id' | 'email_key'>

/**
 * Signs the links in mails about notifications. A link needs no sign-in, and allows nothing but to choose how many of these mails the
 * account gets. It is valid as long as the account has the address that the mail was sent to.
 */
export interface MailLinks {
  /** Returns the token of a link: ASCII letters, digits and `_`. */
  tokenOf(receiver: Receiver): string
  /** Returns the id of the account that a token is for, which must still be verified. Undefined if it is no token. */
  accountOf(token: string): string | undefined
  /** Whether this server made the token for this account at its present address. */
  verify(token: string, receiver: Receiver): boolean
}

/** The prefix tells the server's own log, and scanners for leaked secrets, what the text is. */
const form = /^partita_mails_([0-9a-f]{24})[0-9a-f]{64}$/

/** Signs tokens with HMAC-SHA-256 (RFC 2104). */
export function mailLinks(secret: KeyObject): MailLinks {
  const tokenOf = ({ id, email_key }: Receiver): string => {
    const signature = createHmac('sha256', secret)
      .update(JSON.stringify([id, email_key]))
      .digest('hex')
    return `partita_mails_${id}${signature}`
  }
  return {
    tokenOf,
    accountOf: (token) => form.exec(token)?.[1],
    verify(token, receiver) {
      const [actual, expected] = [Buffer.from(token), Buffer.from(tokenOf(receiver))]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
