import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Clock } from './clock.ts'
import { minute } from './durations.ts'

/** The file that a link gives access to, with a media type. */
export type LinkedFile =
  | { readonly blob: string; readonly name: string; readonly mediaType: string }
  /** The recording of a track, by the id of its file. Browsers play it in the page. */
  | { readonly recording: string; readonly mediaType: string }

/** A file with the time for which its link stays valid. */
export type ValidLink = LinkedFile & { readonly millisecondsLeft: number }

export interface LinkSigner {
  /** Returns a URL that serves the file without authentication for 15 minutes. */
  urlOf(file: LinkedFile): string
  /** Returns the file of a token, or undefined if the signature is invalid or the token has expired. */
  verify(token: string): ValidLink | undefined
}

/** Milliseconds for which a link is valid. */
export const linkLifetime = 15 * minute

/**
 * Creates a signer that uses HMAC-SHA-256 (RFC 2104). A token is the payload and the signature in base64url, with a dot
 * between them.
 */
export function linkSigner(secret: KeyObject, publicUrl: string, clock: Clock): LinkSigner {
  const signatureOf = (payload: string) => createHmac('sha256', secret).update(payload).digest()
  return {
    urlOf(file) {
      const expires = clock.now() + linkLifetime
      const [content, name] = 'blob' in file ? [file.blob, file.name] : [file.recording, null]
      const fields = [content, name, file.mediaType, expires]
      const payload = Buffer.from(JSON.stringify(fields)).toString('base64url')
      return `${publicUrl}/files/${payload}.${signatureOf(payload).toString('base64url')}`
    },
    verify(token) {
      const [payload = '', signature = ''] = token.split('.')
      const actual = Buffer.from(signature, 'base64url')
      const expected = signatureOf(payload)
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
      const [content, name, mediaType, expires] = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const millisecondsLeft = expires - clock.now()
      if (millisecondsLeft <= 0) return undefined
      const file = name === null ? { recording: content } : { blob: content, name }
      return { ...file, mediaType, millisecondsLeft }
    },
  }
}
