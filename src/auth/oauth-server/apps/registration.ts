import type { AppsTable } from '../../../platform/db/sign-in-tables.ts'
import { fail } from '../../../errors.ts'
import { hashToken, newToken } from '../../../lib/tokens.ts'
import type { Context } from '../../../context.ts'

export interface Registration {
  name: string
  redirectUris: readonly string[]
  /** Whether the app cannot keep a secret, for instance because it runs in a browser. */
  isPublic: boolean
  owner: string | null
}

/**
 * Creates the row of a new app, its redirect URIs without duplicates, and its secret. Only the hash of the secret is stored;
 * public apps have none.
 * @throws INVALID_PARAMETER for an invalid name or redirect URI
 */
export function prepareApp(
  ctx: Context,
  { name, redirectUris, isPublic, owner }: Registration,
): { app: AppsTable; redirectUris: readonly string[]; secret: string | undefined } {
  if (name.trim() === '' || name.length > 100) refuse('name', 'The name must have 1 to 100 characters')
  if (invisible.test(name)) refuse('name', 'The name must not contain invisible characters')
  if (redirectUris.length === 0 || redirectUris.length > 20)
    refuse('redirectUris', 'An app must have 1 to 20 redirect-uris')
  for (const uri of redirectUris) checkRedirectUri(uri, ctx.config.publicUrl)
  const secret = isPublic ? undefined : newToken('clientSecret')
  const app = {
    id: ctx.newId(),
    name: name.trim(),
    owner_id: owner,
    secret_hash: secret ? hashToken(secret) : null,
    created_at: ctx.clock.now(),
  }
  return { app, redirectUris: [...new Set(redirectUris)].sort(), secret }
}

/**
 * Control characters, direction marks and zero-width characters, which can make one name look like another.
 */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u

/** A host that is safe in a `Content-Security-Policy`, where `;` and `,` would end the directive. */
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Checks a redirect URI: it must use https, the loopback interface, or a private-use scheme named after a
 * domain (RFC 8252, sections 7.1 and 7.3). If this server has no https itself, others need none.
 */
function checkRedirectUri(uri: string, publicUrl: string): void {
  const url = uri.length <= 2000 ? URL.parse(uri) : null
  // Redirect URIs are compared as strings, so they must be written without spaces.
  if (!url || uri !== uri.trim() || /[\s\p{C}]/u.test(uri))
    refuse('redirectUris', 'A redirect-uri must be an absolute address')
  if (uri.includes('#')) refuse('redirectUris', 'A redirect-uri must not have a fragment')
  if (url.username || url.password) refuse('redirectUris', 'A redirect-uri must not have a password')
  const { protocol, hostname } = url
  if (/^https?:$/.test(protocol) && !plainHost.test(hostname))
    refuse('redirectUris', 'A redirect-uri must have a host')
  const isSafe =
    protocol === 'https:' ||
    (protocol === 'http:' && (loopback.test(hostname) || publicUrl.startsWith('http:'))) ||
    /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(protocol)
  if (!isSafe)
    refuse(
      'redirectUris',
      'A redirect-uri must begin with https, or with a private-use scheme named after a domain',
    )
}

function refuse(param: string, problem: string): never {
  fail('INVALID_PARAMETER', { param, message: `${problem}.` })
}
