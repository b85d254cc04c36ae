import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findReadableScore } from '../features/library/scores/policy.ts'
import { html } from '../http/html.ts'
import { htmlHeaders, type PageResponse, pageResponse, pageRoute } from '../http/page.ts'
import { isId } from '../lib/ids.ts'
import type { TextKey, Texts } from '../texts/catalogue.ts'
import { textsFor } from '../texts/texts.ts'
import { notBuiltPage } from './not-built-page.ts'
import { oembed } from './oembed.ts'

interface EmbedRoute {
  Params: { score?: string }
  Querystring: { sharingKey?: string | string[]; locale?: string | string[] }
}

/**
 * Serves the page that other sites show in a frame, and its description for oEmbed. No session counts there: a frame of another
 * site must not show what only its visitor may see. So a score is public, or the address has its key.
 * @param page the built HTML. Undefined without a build
 */
export function embedPages(server: FastifyInstance, ctx: Context, page: string | undefined): void {
  const serve = async (request: FastifyRequest<EmbedRoute>, score: string | undefined) => {
    const { headers, query } = request
    const { locale, sharingKey } = query
    const texts = textsFor(typeof locale === 'string' ? { 'accept-language': locale } : headers)
    if (page === undefined) return notBuiltPage(texts)
    if (score === undefined) return embedResponse(ctx, texts, page, { title: 'Partita', score: '' })
    const key = typeof sharingKey === 'string' ? sharingKey : undefined
    const loaded = isId(score) ? await findReadableScore(ctx.db.read, undefined, score, key) : undefined
    if (!loaded) {
      return pageResponse(texts, {
        status: 404,
        title: texts.text('scorePage.missing'),
        main: html`<p>${texts.text('embed.missingWhy')}</p>`,
      })
    }
    return embedResponse(ctx, texts, page, { title: loaded.score.title, score })
  }
  pageRoute<EmbedRoute>(server, 'GET', '/embed', (request) => serve(request, undefined))
  pageRoute<EmbedRoute>(server, 'GET', '/embed/blank', (request) => serve(request, undefined))
  pageRoute<EmbedRoute>(server, 'GET', '/embed/:score', (request) => serve(request, request.params.score))
  oembed(server, ctx)
}

/** The texts of the page. */
const textKeys = [
  'app.loading',
  'app.retry',
  'error.title',
  'embed.blank',
  'embed.open',
  'embed.fullscreen',
  'embed.settings',
  'embed.sheet',
  'player.label',
  'player.failed',
  'player.play',
  'player.pause',
  'player.position',
  'player.measure',
  'player.tempo',
  'player.metronome',
  'player.countIn',
  'player.volume',
  'player.parts',
  'player.part',
  'sheet.page',
  'sheet.zoomIn',
  'sheet.zoomOut',
  'sheet.print',
] as const satisfies readonly TextKey[]

/** Returns the page of an embed. Only the sites of `EMBED_SITES` can show it in a frame. */
function embedResponse(
  { config }: Context,
  texts: Texts,
  page: string,
  { title, score }: { title: string; score: string },
): PageResponse {
  const content = page
    .replace('<html lang="en">', `<html lang="${texts.language}">`)
    .replace('<title>Partita</title>', () => html`<title>${title}</title>`.markup)
    .replace('This page needs JavaScript.', () => html`${texts.text('app.noScript')}`.markup)
    .replace(
      '<div id="embed">',
      () =>
        html`<div id="embed" data-score="${score}" data-texts="${JSON.stringify(Object.fromEntries(textKeys.map((key) => [key, texts.text(key)])))}">`
          .markup,
    )
  const { 'X-Frame-Options': _, ...headers } = htmlHeaders(
    `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors ${config.embedSites.join(' ')}`,
  )
  return { status: 200, headers, content }
}
