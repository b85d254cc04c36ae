import type { FastifyInstance } from 'fastify'
import { html } from '../http/html.ts'
import { pageResponse, pageRoute } from '../http/page.ts'
import { textsFor } from '../texts/texts.ts'

/**
 * Serves the pages at the `htmlUrl` of collections and users. The request has no token, so the page must not say
 * anything about the object, not even whether it exists.
 */
export function scorePages(server: FastifyInstance): void {
  for (const url of ['/collections/:collection', '/users/:user']) {
    pageRoute(server, 'GET', url, ({ headers }) => {
      const texts = textsFor(headers)
      return pageResponse(texts, {
        title: texts.text('score.title'),
        main: html`<p>${texts.text('score.what')}</p>
<p><a href="/docs">${texts.text('score.docs')}</a></p>`,
      })
    })
  }
}
