import type { FastifyInstance, FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify'
import type { Metrics } from '../lib/metrics.ts'
import { sentCodeOf } from './errors.ts'

/**
 * Counts each request by its operation and status, and each error by its code. A request for a page, file or probe is counted as
 * `page`, and one for an address that does not exist as `unknown`. The name of a route is looked up once, because reading it from
 * a request takes longer than counting.
 */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  function count(name: string, request: FastifyRequest, reply: FastifyReply): void {
    const { statusCode } = reply
    metrics.countRequest(name, statusCode, reply.elapsedTime / 1000)
    if (statusCode < 400) return
    // Forms that refuse an attempt are pages, not errors.
    const code = sentCodeOf(request) ?? (statusCode === 429 ? 'TOO_MANY_ATTEMPTS' : undefined)
    if (code) metrics.countError(code)
  }

  server.addHook('onRoute', (route) => {
    const { operation = 'page' } = (route.config ?? {}) as { operation?: string }
    const measure: onResponseHookHandler = (request, reply, done) => {
      count(operation, request, reply)
      done()
    }
    route.onResponse = [...[route.onResponse ?? []].flat(), measure]
  })
  server.addHook('onResponse', (request, reply, done) => {
    if (request.is404) count('unknown', request, reply)
    done()
  })
}
