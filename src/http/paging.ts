import type { PageCursors } from '../operation.ts'

/**
 * The Link header (RFC 8288) to the neighbouring pages: the address of this one with everything that was asked, but
 * another cursor. Undefined where there is no neighbour.
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
