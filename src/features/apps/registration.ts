import type { AppsTable } from '../../db/sign-in-tables.ts'
import { fail } from '../../errors.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../operation.ts'

export interface Registration {
  name: string
  redirectUris: readonly string[]
  /** It runs where it cannot keep a secret. */
  isPublic: boolean
  owner: string | null
}

/**
 * The row of a new app and its secret, which is seen this once; none for a public one.
 * @throws INVALID_PARAMETER when the name or an address is not acceptable
 */
export function registerApp(
  ctx: Context,
  { name, redirectUris, isPublic, owner }: Registration,
): { app: AppsTable; secret: string | undefined } {
  if (name.trim() === '' || name.length > 100) refuse('name', 'A name has 1 to 100 characters')
  if (unseen.test(name)) refuse('name', 'A name has no characters that nobody sees')
  if (redirectUris.length === 0 || redirectUris.length > 20) refuse('redirectUris', 'Name 1 to 20 redirect-uris')
  for (const uri of redirectUris) checkRedirectUri(uri, ctx.config.publicUrl)
  const secret = isPublic ? undefined : newToken('clientSecret')
  const app = {
    id: ctx.newId(),
    name: name.trim(),
    owner_id: owner,
    secret_hash: secret ? hashToken(secret) : null,
    created_at: ctx.clock.now(),
  }
  return { app, secret }
}

/** Controls, marks that turn the direction of writing, widths of zero: by these one name passes for another. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u

/** As it may stand in a `Content-Security-Policy`, where `;` and `,` would end what is said of it. */
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * An address that a code may be sent to: over https, to the device itself, or to the app that has claimed a scheme named
 * after a domain (RFC 8252, sections 7.1 and 7.3). Where this server has no https itself, others need none.
 */
function checkRedirectUri(uri: string, publicUrl: string): void {
  const url = uri.length <= 2000 ? URL.parse(uri) : null
  // What is compared to the letter is written as an address is.
  if (!url || uri !== uri.trim() || /[\s\p{C}]/u.test(uri))
    refuse('redirectUris', 'A redirect-uri is an absolute address')
  if (uri.includes('#')) refuse('redirectUris', 'A redirect-uri has no fragment')
  if (url.username || url.password) refuse('redirectUris', 'A redirect-uri has no password')
  const { protocol, hostname } = url
  if (/^https?:$/.test(protocol) && !plainHost.test(hostname)) refuse('redirectUris', 'A redirect-uri names a host')
  const isSafe =
    protocol === 'https:' ||
    (protocol === 'http:' && (loopback.test(hostname) || publicUrl.startsWith('http:'))) ||
    /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol)
  if (!isSafe)
    refuse('redirectUris', 'A redirect-uri begins with https, or with a scheme of the app that is named after a domain')
}

function refuse(param: string, why: string): never {
  fail('INVALID_PARAMETER', { param, message: `${why}.` })
}
