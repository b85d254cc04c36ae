import type { FastifyInstance } from 'fastify'
import { redactUrl } from '../lib/redaction.ts'

/** Logs one line for each request, without its secrets. */
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
