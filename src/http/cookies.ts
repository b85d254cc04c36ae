import type { IncomingHttpHeaders } from 'node:http'

// @fastify/cookie is not used: of several cookies with the same name it returns the first one, and it knows no `__Host-` prefix.

/**
 * Returns the name under which a cookie is stored. If the server is reached by https without a path, the prefix `__Host-` keeps
 * other hosts and unencrypted pages from setting the cookie (RFC 6265bis, section 4.1.3.2).
 */
const nameAt = (name: string, publicUrl: string): string =>
  /^https:\/\/[^/]+$/.test(publicUrl) ? `__Host-${name}` : name

/**
 * Returns a `Set-Cookie` header. Without a value, it deletes the cookie. No script can read the cookie, and browsers do not send it
 * with forms and subrequests of other sites.
 * @param lifetime in milliseconds
 */
export function cookie(name: string, value: string | undefined, lifetime: number, publicUrl: string): string {
  const maxAge = value === undefined ? 0 : lifetime / 1000
  const attributes = ['Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax']
  if (publicUrl.startsWith('https:')) attributes.push('Secure')
  return [`${nameAt(name, publicUrl)}=${value ?? ''}`, ...attributes].join('; ')
}

/**
 * Returns the value of a cookie. Returns undefined if there are several values, because one of them may have been set by another
 * person.
 */
export function cookieOf(
  { cookie = '' }: IncomingHttpHeaders,
  name: string,
  publicUrl: string,
): string | undefined {
  const expected = nameAt(name, publicUrl)
  const values = cookie.split(';').flatMap((pair) => {
    const [name, value = ''] = pair.trim().split('=')
    return name === expected ? [value] : []
  })
  return values.length === 1 ? values[0] : undefined
}
