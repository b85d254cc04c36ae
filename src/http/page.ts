import type { FastifyReply } from 'fastify'

/** Sends a small page of ours: it runs nothing, loads nothing, and is framed by nobody. @param main HTML */
export function sendPage(reply: FastifyReply, title: string, main: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
  main { max-width: 34rem; margin: 18vh auto; padding: 0 1.5rem }
  button { font: inherit; padding: 0.4em 1.2em }
</style>
<main>
  <h1>${title}</h1>
  ${main}
</main>
</html>
`)
}
