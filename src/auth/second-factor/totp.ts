import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/**
 * The default parameters of authenticator apps: SHA-1, six digits, 30 seconds (RFC 6238, section 4; RFC 4226,
 * section 5.3).
 */
const period = 30
const common = { algorithm: 'SHA1', digits: 6, period }

/** Creates a secret of 20 bytes, the length of a SHA-1 hash (RFC 4226, section 4). */
export const newTotpSecret = (): Uint8Array => randomBytes(20)

/** Returns the secret for manual input: base32 (RFC 4648, section 6) without padding. */
export const totpSecretText = (secret: Uint8Array): string => secretOf(secret).base32

/**
 * Returns the `otpauth://totp/…` URI that authenticator apps read from a QR code.
 * @param issuer the name or host of the server
 * @param label the name of the account
 */
export const totpUri = (secret: Uint8Array, issuer: string, label: string): string =>
  new TOTP({ ...common, issuer, label, secret: secretOf(secret) }).toString()

/** Whether a text has the form of a code: six digits; spaces are ignored. */
export const isTotpCode = (text: string): boolean => /^\d{6}$/.test(text.replaceAll(/\s/g, ''))

/**
 * Returns the time step whose code this is: the current one, or the one before or after it, because clocks
 * differ. Returns undefined for a wrong code. A caller that accepts a code must refuse this step and all
 * earlier ones afterwards (RFC 6238, section 5.2).
 * @param code the code as the user typed it; spaces are ignored
 * @param now milliseconds since 1970
 */
export function totpStepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  if (!isTotpCode(code)) return undefined
  const token = code.replaceAll(/\s/g, '')
  const delta = TOTP.validate({ ...common, secret: secretOf(secret), token, timestamp: now, window: 1 })
  return delta === null ? undefined : totpStepAt(now) + delta
}

/**
 * Returns the time step of a time, in half minutes since 1970.
 * @param now milliseconds since 1970
 */
export const totpStepAt = (now: number): number => TOTP.counter({ period, timestamp: now })

/**
 * Returns the code that an authenticator app shows at a time.
 * @param now milliseconds since 1970
 */
export const totpCode = (secret: Uint8Array, now: number): string =>
  TOTP.generate({ ...common, secret: secretOf(secret), timestamp: now })

/**
 * Copies the bytes, because the library reads the whole underlying buffer. A database driver may return a
 * view of a larger one.
 */
const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer })
