import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { findReadableScore } from '../features/library/scores/policy.ts'
import { html } from '../http/html.ts'
import { pageRoute } from '../http/page.ts'
import { isId } from '../lib/ids.ts'

interface OembedRoute {
  Querystring: Partial<Record<'url' | 'format' | 'maxwidth' | 'maxheight', string | string[]>>
}

/** The size of the frame in pixels, if the site sets no smaller one. */
const usualSize = { width: 800, height: 600 }

const thumbnailSize = { width: 472, height: 354 }

/** Serves the description of scores for sites that turn a pasted link into an embed (https://oembed.com). */
export function oembed(server: FastifyInstance, ctx: Context): void {
  pageRoute<OembedRoute>(server, 'GET', '/oembed', async ({ query }) => {
    if (query.format !== undefined && query.format !== 'json' && query.format !== 'xml') {
      return {
        status: 501,
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
        content: 'Not implemented',
      }
    }
    const description = await describe(ctx, query)
    const headers = { 'Cache-Control': 'public, max-age=3600' }
    if (query.format === 'xml') {
      const fields = Object.entries(description).map(
        ([name, value]) => `<${name}>${html`${value}`.markup}</${name}>`,
      )
      const content = `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${fields.join('')}</oembed>\n`
      return { status: 200, headers: { ...headers, 'Content-Type': 'text/xml; charset=utf-8' }, content }
    }
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
      content: JSON.stringify(description),
    }
  })
}

/** @throws SCORE_NOT_FOUND for an address of no score that everybody with the address can see */
async function describe(
  ctx: Context,
  { url, maxwidth, maxheight }: OembedRoute['Querystring'],
): Promise<Record<string, string | number>> {
  const { publicUrl } = ctx.config
  const address = typeof url === 'string' ? URL.parse(url) : null
  const path = address && url?.slice(0, publicUrl.length + 1) === `${publicUrl}/` ? address.pathname : ''
  const [, id = ''] = /\/(?:scores|embed)\/([\da-f]{24})\/?$/.exec(path) ?? []
  const sharingKey = address?.searchParams.get('sharingKey') ?? undefined
  const loaded = isId(id) ? await findReadableScore(ctx.db.read, undefined, id, sharingKey) : undefined
  if (!loaded) return fail('SCORE_NOT_FOUND')
  const { score, owner } = loaded
  const key =
    score.privacy === 'public' || sharingKey === undefined ? '' : `?${new URLSearchParams({ sharingKey })}`
  const width = limited(usualSize.width, maxwidth)
  const height = limited(usualSize.height, maxheight)
  const frame = html`<iframe src="${publicUrl}/embed/${id}${key}" width="${width}" height="${height}" title="${score.title}" allow="autoplay; midi" allowfullscreen loading="lazy"></iframe>`
  return {
    version: '1.0',
    type: 'rich',
    title: score.title,
    author_name: owner.username,
    provider_name: 'Partita',
    provider_url: publicUrl,
    thumbnail_url: `${publicUrl}/v2/scores/${id}/revisions/last/thumbnail.png${key}`,
    thumbnail_width: thumbnailSize.width,
    thumbnail_height: thumbnailSize.height,
    html: frame.markup,
    width,
    height,
  }
}

/** Returns a size that is at most the one that the site wants. */
function limited(usual: number, wanted: string | string[] | undefined): number {
  const most = typeof wanted === 'string' && /^\d{1,5}$/.test(wanted) ? Number(wanted) : usual
  return Math.max(1, Math.min(usual, most))
}
