import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** By which leak scanners, and our own log, know what somebody holds. */
const prefixes = {
  personal: 'partita_pat_',
  /** What an app has to act for somebody, and what it gets that for. */
  access: 'partita_oat_',
  refresh: 'partita_ort_',
  code: 'partita_code_',
  clientSecret: 'partita_secret_',
  signInLink: 'partita_link_',
  session: 'partita_session_',
  /** Of who has given the password, and a second factor not yet. */
  pendingSignIn: 'partita_signin_',
  passwordReset: 'partita_reset_',
  emailVerification: 'partita_email_',
  /** What a browser has while somebody signs in elsewhere. */
  providerSignIn: 'partita_way_',
} as const
type TokenKind = keyof typeof prefixes

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 40
const checksumLength = 6

/**
 * A new token: the prefix of its kind, 40 random characters (238 bits), and the CRC-32 of those in base 62, so that a
 * mistyped or invented one is refused without asking the database.
 */
export function newToken(kind: TokenKind): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return prefixes[kind] + random + checksumOf(random)
}

/** Whether the text could be a token of ours. */
export function isToken(kind: TokenKind, text: string): boolean {
  const prefix = prefixes[kind]
  if (text.length !== prefix.length + randomLength + checksumLength || !text.startsWith(prefix)) return false
  const random = text.slice(prefix.length, -checksumLength)
  return text.endsWith(checksumOf(random))
}

export const newPersonalToken = (): string => newToken('personal')

/** Whether the text could be a token that somebody bears to the interface. */
export const isBearerToken = (text: string): boolean => isToken('personal', text) || isToken('access', text)

/** What is stored of a token: its SHA-256 in base64url. A random token needs no slow hash. */
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
