import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns whether the page of another site made the browser send a form. It looks at `Sec-Fetch-Site`, or at `Origin` for a
 * browser that does not send the former. A request with neither header does not come from a current browser, and so carries no
 * cookie that another site could make use of.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return headers.origin !== undefined && !isOwnOrigin(headers.origin, publicUrl)
}

/** Name of the header that scripts of our pages send with every request. */
const clientHeader = 'x-partita-client'

/**
 * Returns whether a script of one of our own pages sent the request. Only then does a session cookie count. Two things must
 * hold:
 *
 * - The request has the header `X-Partita-Client`, with any value. A form cannot send it, and a script of another site must ask
 *   first by a preflight request, which is never answered with permission to send cookies.
 * - The browser says that the page is ours: by `Sec-Fetch-Site: same-origin`, or by `Origin` if it does not send the former.
 *   Browsers send neither with a GET to a server without TLS. Then `Referer` says it.
 */
export function isFromOwnPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers[clientHeader] === undefined) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const source = headers.origin ?? headers.referer
  return source !== undefined && isOwnOrigin(source, publicUrl)
}

/**
 * Compares scheme, host and port with those of the public address. The `Host` header is not compared: a proxy may change it, and it
 * has no scheme.
 * @param address an origin, or an address with a path
 */
const isOwnOrigin = (address: string, publicUrl: string): boolean =>
  URL.parse(address)?.origin === new URL(publicUrl).origin
