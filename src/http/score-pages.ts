import type { FastifyInstance } from 'fastify'

/**
 * What `htmlUrl` of a score opens. It says nothing of the score, not even whether there is one: the page has no session
 * and so no rights.
 */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A score on Partita</title>
<style>
  :root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
  main { max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem }
</style>
<main>
  <h1>A score on Partita</h1>
  <p>This address names a score that is kept on this server. Open it with an app that speaks the v2 interface; its
  documentation is <a href="/docs">here</a>.</p>
</main>
</html>
`

export function scorePages(server: FastifyInstance): void {
  for (const url of ['/scores/:score', '/scores/:score/edit', '/collections/:collection', '/users/:user']) {
    server.get(url, async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        .send(page),
    )
  }
}
