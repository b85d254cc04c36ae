import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether the page of another site had a browser send this: by fetch metadata, where the browser sends them, else by the
 * origin. Who sends neither is no browser of today, and has no cookies that somebody else could make use of.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  const host = URL.parse(origin)?.host
  return host === undefined || (host !== headers.host && host !== new URL(publicUrl).host)
}
