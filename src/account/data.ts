import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import type { Asker } from '../http/asker.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { sendFile } from '../http/files.ts'
import { localeOf } from '../http/locale.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import { findVisitor, notSignedIn, type Visitor } from '../http/session.ts'
import { refuseUnkeepable } from '../http/validation.ts'
import { Answer, type Context, File } from '../operation.ts'
import { textsFor } from '../texts/texts.ts'
import { appRoutes } from './apps.ts'
import { auditLogRoutes } from './audit-log.ts'
import { connectedAppRoutes } from './connected-apps.ts'
import { meRoutes } from './me.ts'
import type { AccountRoute } from './route.ts'
import { secondFactorRoutes } from './second-factor.ts'
import { securityRoutes } from './security.ts'
import { tokenRoutes } from './tokens.ts'

const defaultBodyLimit = 64 * 1024

/** One line an area. */
export const accountRoutes: readonly AccountRoute[] = [
  ...meRoutes,
  ...tokenRoutes,
  ...connectedAppRoutes,
  ...appRoutes,
  ...securityRoutes,
  ...secondFactorRoutes,
  ...auditLogRoutes,
]

/** What the browser app reads and changes; for it alone, and so not part of the interface. */
export function accountData(server: FastifyInstance, ctx: Context, limits: RateLimit): void {
  server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      if (isCrossSite(request.headers, ctx.config.publicUrl)) fail('CROSS_SITE_REQUEST')
      const { user } = await visitorOf(ctx, request)
      // As many as with tokens, but apart: a program that has used those up is ended here.
      await limits.count(reply, `${user.id} in a browser`, request.ip)
    })
    for (const route of accountRoutes) serve(scope, ctx, route)
  })
}

function serve(scope: FastifyInstance, ctx: Context, route: AccountRoute): void {
  const { method, path, params, query, body, bodyLimit, response, status = response ? 200 : 204 } = route
  scope.route({
    method,
    url: `/account/data${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    bodyLimit: bodyLimit ?? defaultBodyLimit,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(response && { response: { [status]: response } }),
    },
    async preValidation(request) {
      if (body && request.body === undefined) {
        fail('INVALID_PARAMETER', { param: 'body', message: 'A JSON body is missing.' })
      }
      refuseUnkeepable(request.params)
      refuseUnkeepable(request.query)
    },
    async handler(request, reply) {
      // A body may be minutes on its way: the session may have ended meanwhile.
      const visitor = await visitorOf(ctx, request)
      const { id, ip, headers, params, query, body } = request
      const facts = { id, address: ip, locale: () => localeOf(headers, visitor.user.locale) }
      const texts = textsFor(headers)
      const result = await route.handle({ ctx, visitor, params, query, body, request: facts, texts })
      if (result instanceof File) return sendFile(reply.status(200), result)
      reply.status(status)
      if (!(result instanceof Answer)) return reply.send(result)
      return reply.headers(result.headers).send(result.body)
    },
  })
}

/** @throws UNAUTHORIZED; SIGNED_IN_BY_LINK for who may be somebody else than the account says */
async function visitorOf(ctx: Context, { headers }: Asker): Promise<Visitor> {
  const visitor = await findVisitor(ctx, headers)
  if (!visitor) fail('UNAUTHORIZED', notSignedIn)
  if (visitor.isByLink) fail('SIGNED_IN_BY_LINK')
  return visitor
}
