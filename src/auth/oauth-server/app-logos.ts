import type { FastifyInstance } from 'fastify'
import { fail } from '../../errors.ts'
import { findAppLogo } from './apps/store.ts'
import type { Context } from '../../context.ts'

/** Serves the logos of apps for the consent page. The responses are sandboxed, because their content is untrusted. */
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
