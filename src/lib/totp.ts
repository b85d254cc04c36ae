import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** What authenticator apps take without being told: SHA-1, six digits, half a minute (RFC 6238, section 4; RFC 4226, section 5.3). */
const period = 30
const common = { algorithm: 'SHA1', digits: 6, period }

/** A new secret that a server and an authenticator app share: 20 bytes, as many as SHA-1 gives (RFC 4226, section 4). */
export const newTotpSecret = (): Uint8Array => randomBytes(20)

/** The secret as people type it: base32 (RFC 4648, section 6) without padding. */
export const totpSecretText = (secret: Uint8Array): string => secretOf(secret).base32

/**
 * The address that an authenticator app reads from a picture, in the form that such apps have agreed on: otpauth://totp/….
 * @param issuer whose account it is for: a name or host
 * @param label what the account is called there
 */
export const totpUri = (secret: Uint8Array, issuer: string, label: string): string =>
  new TOTP({ ...common, issuer, label, secret: secretOf(secret) }).toString()

/**
 * The time step whose code this is, of the present one and those before and after it, since clocks differ; undefined where
 * it is the code of none. Whoever accepts a code must refuse that step, and earlier ones, from then on (RFC 6238, section 5.2).
 * @param code as it was typed: spaces in it do not matter
 * @param now in milliseconds since 1970
 */
export function totpStepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = TOTP.validate({ ...common, secret: secretOf(secret), token, timestamp: now, window: 1 })
  return delta === null ? undefined : totpStepAt(now) + delta
}

/** The time step of a moment, in half minutes since 1970. @param now in milliseconds since 1970 */
export const totpStepAt = (now: number): number => TOTP.counter({ period, timestamp: now })

/** The code of a moment, as an authenticator app shows it. @param now in milliseconds since 1970 */
export const totpCode = (secret: Uint8Array, now: number): string =>
  TOTP.generate({ ...common, secret: secretOf(secret), timestamp: now })

/** A copy: the library reads a buffer as a whole, of which a row of a database may be a part. */
const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })
