import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'

/** What a link gives access to: one blob, under a name and a media type. */
export interface LinkedFile {
  readonly blob: string
  readonly name: string
  readonly mediaType: string
}

export interface LinkSigner {
  /** An address that gives this very file to whoever has it, for 15 minutes. */
  urlOf(file: LinkedFile): string
  /** The file of a token that we signed and that has not run out; undefined otherwise. */
  verify(token: string): LinkedFile | undefined
}

const lifetimeMilliseconds = 15 * 60 * 1000

/** Signs with HMAC-SHA-256 (RFC 2104). The token is base64url of the payload, a dot, base64url of the signature. */
export function linkSigner(secret: KeyObject, publicUrl: string, clock: Clock): LinkSigner {
  const signatureOf = (payload: string) => createHmac('sha256', secret).update(payload).digest()
  return {
    urlOf({ blob, name, mediaType }) {
      const expires = clock.now() + lifetimeMilliseconds
      const payload = Buffer.from(JSON.stringify([blob, name, mediaType, expires])).toString('base64url')
      return `${publicUrl}/files/${payload}.${signatureOf(payload).toString('base64url')}`
    },
    verify(token) {
      const [payload = '', signature = ''] = token.split('.')
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(payload)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const [blob, name, mediaType, expires] = JSON.parse(Buffer.from(payload, 'base64url').toString())
      return clock.now() < expires ? { blob, name, mediaType } : undefined
    },
  }
}
