import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import { pathPattern } from '../lib/path-template.ts'

/** Throws the error for a request that no operation serves. */
export type RefuseUnrouted = (request: FastifyRequest, reply: FastifyReply) => never

/**
 * Answers 405 with `Allow` if the address takes other methods, and 404 otherwise.
 * @param routes every method and path that is served; paths with {parameters}
 */
export function refuseUnrouted(routes: Iterable<{ method: string; path: string }>): RefuseUnrouted {
  const methodsOf = new Map<string, Set<string>>()
  for (const { method, path } of routes) {
    const methods = methodsOf.get(path) ?? new Set(['OPTIONS'])
    methodsOf.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  const addresses = [...methodsOf].map(([path, methods]) => ({ pattern: pathPattern(path), methods }))

  return (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const known = addresses.flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []))
    if (known.length === 0) fail('NOT_FOUND')
    const allow = [...new Set(known)].sort().join(', ')
    reply.header('Allow', allow)
    fail('METHOD_NOT_ALLOWED', { message: `This address supports ${allow}, not ${request.method}.` })
  }
}
