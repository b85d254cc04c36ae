import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'
import type { Config } from '../config.ts'
import { programIndex } from '../http/documentation.ts'
import { html } from '../http/html.ts'
import { type PageResponse, pageResponse, pageRoute } from '../http/page.ts'
import { textsFor } from '../texts/texts.ts'

/** Serves `/`: a page that leads people to the sign-in, and for programs the addresses of the interface. */
export function startPage(server: FastifyInstance, { config }: { config: Config }): void {
  pageRoute(server, 'GET', '/', ({ headers }): PageResponse => {
    const wanted = new Negotiator({ headers }).mediaType(['application/json', 'text/html'])
    if (wanted !== 'text/html') {
      return {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept' },
        content: JSON.stringify(programIndex(config)),
      }
    }
    const texts = textsFor(headers)
    const page = pageResponse(texts, {
      title: 'Partita',
      main: html`<p>${texts.text('start.what')}</p>
<p><a href="/auth/signin">${texts.text('signIn.do')}</a></p>
<p><a href="/docs">${texts.text('score.docs')}</a></p>
<p><a href="/v2/openapi.json">${texts.text('start.openapi')}</a></p>`,
    })
    return { ...page, headers: { ...page.headers, Vary: 'Accept, Accept-Language' } }
  })
}
