import type { ResponseHeaders } from './http.ts'

/** Returns the previous and next page of a Link header (RFC 8288), as paths below /v2. */
export function linksOf(headers: ResponseHeaders, url: string): { next?: string; previous?: string } {
  const header = headers.get('link') ?? ''
  const links: { next?: string; previous?: string } = {}
  for (const [, address = '', rel = ''] of header.matchAll(/<([^>]+)>; rel="(\w+)"/g)) {
    if (!address.startsWith(`${url}/v2/`)) throw new Error(`Link to another server or mount: ${address}`)
    links[rel as 'next' | 'previous'] = address.slice(`${url}/v2`.length)
  }
  return links
}
