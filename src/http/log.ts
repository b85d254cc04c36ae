import type { FastifyInstance } from 'fastify'

/** One line a request, with what it cost and who asked, and without its secrets. */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        request: request.id,
        method: request.method,
        url: redactUrl(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
      },
      'request',
    )
    done()
  })
}

/** Takes sharing keys and signed links out of an address. */
export function redactUrl(url: string): string {
  if (url.startsWith('/files/')) return '/files/[redacted]'
  return url.includes('haringKey') ? url.replace(/([?&]sharingKey=)[^&]*/gi, '$1[redacted]') : url
}
