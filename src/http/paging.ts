import type { PageCursors } from '../answer.ts'

/**
 * Returns the Link header (RFC 8288) with the addresses of the neighbouring pages: the address of the request
 * with another cursor. Returns undefined if there is no neighbouring page.
 */
export function linkHeader(publicUrl: string, requestUrl: string, cursors: PageCursors): string | undefined {
  if (!cursors.next && !cursors.previous) return undefined
  const links: string[] = []
  for (const rel of ['next', 'previous'] as const) {
    const cursor = cursors[rel]
    if (!cursor) continue
    const url = new URL(publicUrl + requestUrl)
    url.searchParams.delete('next')
    url.searchParams.delete('previous')
    url.searchParams.set(rel, cursor)
    links.push(`<${url.href}>; rel="${rel}"`)
  }
  return links.join(', ')
}
