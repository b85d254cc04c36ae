import type { FastifyInstance, FastifyReply } from 'fastify'

const exposed = [
  'Link',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Total-Assignments-Count',
  'X-Total-Folders-Count',
  'x-flat-score-revision',
  'x-flat-score-revision-date',
  'X-Partita-Pages',
  'Content-Disposition',
  'ETag',
  'X-Request-Id',
  'Retry-After',
].join(', ')
const methods = 'GET, HEAD, POST, PUT, DELETE'
const dayInSeconds = '86400'

/**
 * Answers OPTIONS requests at every address. Every web page may call the server, and browsers send none of our cookies along,
 * because no answer has `Access-Control-Allow-Credentials` (https://fetch.spec.whatwg.org, "CORS protocol").
 *
 * @fastify/cors is not used: it sets its headers in a hook, and no hook runs for an address that cannot be decoded. So the headers
 * would have to be written here as well.
 */
export function allowAnyOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') return done()
    reply
      .status(204)
      .header('Access-Control-Allow-Methods', methods)
      .header(
        'Access-Control-Allow-Headers',
        request.headers['access-control-request-headers'] ?? 'Authorization',
      )
      .header('Access-Control-Max-Age', dayInSeconds)
      .header('Vary', 'Access-Control-Request-Headers')
      .send()
  })
}

/** Sets the headers that every response has, also one to a request that no hook sees. */
export function setCorsHeaders(reply: FastifyReply): void {
  reply.raw.setHeader('Access-Control-Allow-Origin', '*')
  reply.raw.setHeader('Access-Control-Expose-Headers', exposed)
}
