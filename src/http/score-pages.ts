import type { FastifyInstance } from 'fastify'
import { sendPage } from './page.ts'

/**
 * What `htmlUrl` of a score or an invitation opens. It says nothing of the one that is meant, not even whether there is one:
 * the page has no session and so no rights.
 */
export function scorePages(server: FastifyInstance): void {
  for (const url of ['/scores/:score', '/scores/:score/edit', '/collections/:collection', '/users/:user']) {
    server.get(url, async (_request, reply) =>
      sendPage(
        reply,
        'A score on Partita',
        `<p>This address names a score that is kept on this server. Open it with an app that speaks the v2 interface; its
  documentation is <a href="/docs">here</a>.</p>`,
      ),
    )
  }
  server.get('/invitations/:code', async (_request, reply) => {
    reply.header('Referrer-Policy', 'no-referrer')
    return sendPage(
      reply,
      'An invitation to Partita',
      `<p>This address invites to a school on this server. Its last part is a code: keep it to yourself, and enter it where an
  app asks for it.</p>`,
    )
  })
}
