import type { FastifyInstance } from 'fastify'
import { html } from './html.ts'
import { sendPage } from './page.ts'
import { textsFor } from '../texts/texts.ts'

/**
 * What `htmlUrl` of a score opens. It says nothing of the one that is meant, not even whether there is one: the page has no
 * session and so no rights.
 */
export function scorePages(server: FastifyInstance): void {
  for (const url of ['/scores/:score', '/scores/:score/edit', '/collections/:collection', '/users/:user']) {
    server.get(url, async ({ headers }, reply) => {
      const texts = textsFor(headers)
      return sendPage(reply, texts, {
        title: texts.text('score.title'),
        main: html`<p>${texts.text('score.what')}</p>
<p><a href="/docs">${texts.text('score.docs')}</a></p>`,
      })
    })
  }
}
