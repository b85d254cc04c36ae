import type { IncomingHttpHeaders } from 'node:http'

/** Under a name by which browsers let no other host and no unencrypted page set it (RFC 6265bis, section 4.1.3.2), where that can be. */
const nameAt = (name: string, publicUrl: string): string =>
  /^https:\/\/[^/]+$/.test(publicUrl) ? `__Host-${name}` : name

/**
 * The `Set-Cookie` of one of ours; without a value it is taken back. No script sees it, and no other site has it sent along
 * with a form.
 * @param lifetime in milliseconds
 */
export function cookie(name: string, value: string | undefined, lifetime: number, publicUrl: string): string {
  const maxAge = value === undefined ? 0 : lifetime / 1000
  const attributes = ['Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax']
  if (publicUrl.startsWith('https:')) attributes.push('Secure')
  return [`${nameAt(name, publicUrl)}=${value ?? ''}`, ...attributes].join('; ')
}

/** What a browser has under this name; of several values nobody knows which is not somebody else's. */
export function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string, publicUrl: string): string | undefined {
  const expected = nameAt(name, publicUrl)
  const values = cookie.split(';').flatMap((pair) => {
    const [name, value = ''] = pair.trim().split('=')
    return name === expected ? [value] : []
  })
  return values.length === 1 ? values[0] : undefined
}
