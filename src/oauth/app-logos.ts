import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import { findAppLogo } from '../features/apps/store.ts'
import type { Context } from '../operation.ts'

/** The logos of apps, for whoever is asked by one: in a sandbox, whatever is in them. */
export function appLogos(scope: FastifyInstance, ctx: Context): void {
  scope.get<{ Params: { id: string } }>('/auth/apps/:id/logo', async ({ params }, reply) => {
    const logo = await findAppLogo(ctx.db.read, params.id)
    if (!logo) fail('NOT_FOUND')
    return reply
      .type(logo.media_type)
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', 'private, max-age=300')
      .send(Buffer.from(logo.content))
  })
}
