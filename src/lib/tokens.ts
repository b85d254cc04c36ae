import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix tells leak scanners and the server's own log which kind of token a text is. */
const prefixes = {
  personal: 'partita_pat_',
  /** OAuth tokens and authorization codes of apps. */
  access: 'partita_oat_',
  refresh: 'partita_ort_',
  code: 'partita_code_',
  clientSecret: 'partita_secret_',
  signInLink: 'partita_link_',
  session: 'partita_session_',
  /** A sign-in after the password and before the second factor. */
  pendingSignIn: 'partita_signin_',
  /** A browser that is about to sign in with a passkey. */
  passkeySignIn: 'partita_passkey_signin_',
  passwordReset: 'partita_reset_',
  emailVerification: 'partita_email_',
  /** An invitation to a score or a collection. */
  invitation: 'partita_invitation_',
  /** A browser's sign-in at an external identity provider. */
  providerSignIn: 'partita_provider_signin_',
} as const
type TokenKind = keyof typeof prefixes

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 40
const checksumLength = 6

/**
 * Returns a new token: the prefix of its kind, 40 random characters (238 bits), and their CRC-32 in base 62. The checksum
 * allows the server to refuse a mistyped or invented token without a database query.
 */
export function newToken(kind: TokenKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return prefixes[kind] + random + checksumOf(random)
}

/** Whether the text has the form and the checksum of a token of this kind. */
export function isToken(kind: TokenKind, text: string): boolean {
  const prefix = prefixes[kind]
  if (text.length !== prefix.length + randomLength + checksumLength || !text.startsWith(prefix)) return false
  const random = text.slice(prefix.length, -checksumLength)
  return text.endsWith(checksumOf(random))
}

export const newPersonalToken = (): string => newToken('personal')

/** Whether the text has the form and the checksum of a token that the API accepts. */
export const isBearerToken = (text: string): boolean => isToken('personal', text) || isToken('access', text)

/** Returns the SHA-256 of a token in base64url, which is stored instead of the token. A random token needs no slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url')
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
