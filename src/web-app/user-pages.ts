import type { FastifyInstance } from 'fastify'
import { html } from '../http/html.ts'
import { pageResponse, pageRoute } from '../http/page.ts'
import { textsFor } from '../texts/texts.ts'

/**
 * Serves the page at the `htmlUrl` of users. The request has no token, so the page must not say
 * anything about the user, not even whether the account exists.
 */
export function userPages(server: FastifyInstance): void {
  pageRoute(server, 'GET', '/users/:user', ({ headers }) => {
    const texts = textsFor(headers)
    return pageResponse(texts, {
      title: texts.text('userPage.title'),
      main: html`<p>${texts.text('userPage.what')}</p>
<p><a href="/docs">${texts.text('score.docs')}</a></p>`,
    })
  })
}
