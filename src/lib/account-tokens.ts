import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Tokens that stand for an account at an address that needs no sign-in, for one purpose. They are signed and not stored, so that
 * their owner can be shown one again. A token is valid as long as the account has the version that it was made for.
 */
export interface AccountTokens {
  /** Returns the token of an account: ASCII letters, digits and `_`. */
  tokenOf(account: string, version: string): string
  /** Returns the id of the account that a token is for, which must still be verified. Undefined if the text has another form. */
  accountOf(token: string): string | undefined
  verify(token: string, account: string, version: string): boolean
}

/**
 * Signs tokens with HMAC-SHA-256 (RFC 2104).
 * @param prefix tells the server's own log, and scanners for leaked secrets, what the text is: `partita_…_`
 */
export function accountTokens(secret: KeyObject, prefix: `partita_${string}_`): AccountTokens {
  const form = new RegExp(`^${prefix}([0-9a-f]{24})[0-9a-f]{64}$`)
  const tokenOf = (account: string, version: string): string =>
    prefix +
    account +
    createHmac('sha256', secret)
      .update(JSON.stringify([account, version]))
      .digest('hex')
  return {
    tokenOf,
    accountOf: (token) => form.exec(token)?.[1],
    verify(token, account, version) {
      const [actual, expected] = [Buffer.from(token), Buffer.from(tokenOf(account, version))]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
