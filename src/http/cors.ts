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
  'Content-Disposition',
  'ETag',
  'X-Request-Id',
  'Retry-After',
].join(', ')
const methods = 'GET, HEAD, POST, PUT, DELETE'
const dayInSeconds = '86400'

/**
 * Any web page may call us, and a browser sends none of our cookies along (https://fetch.spec.whatwg.org, "CORS
 * protocol"). So the headers are the same for everybody, and an OPTIONS request is answered at any address.
 */
export function allowAnyOrigin(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') return done()
    reply
      .status(204)
      .header('Access-Control-Allow-Methods', methods)
      .header('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? 'Authorization')
      .header('Access-Control-Max-Age', dayInSeconds)
      .header('Vary', 'Access-Control-Request-Headers')
      .send()
  })
}

/** The headers that every response has, whatever becomes of the request. */
export function setCorsHeaders(reply: FastifyReply): void {
  reply.raw.setHeader('Access-Control-Allow-Origin', '*')
  reply.raw.setHeader('Access-Control-Expose-Headers', exposed)
}
