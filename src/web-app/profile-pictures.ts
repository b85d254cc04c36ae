import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { findPicture } from '../features/people/users/pictures.store.ts'

/**
 * Serves the pictures of profiles. Pages and programs show a picture without credentials, so its address is the
 * permission. A new picture has a new address.
 */
export function profilePictures(server: FastifyInstance, ctx: Context): void {
  server.get<{ Params: { id: string } }>('/pictures/:id', async ({ params }, reply) => {
    const picture = await findPicture(ctx.db.read, params.id)
    if (!picture) fail('NOT_FOUND')
    return reply
      .type('image/webp')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', 'private, max-age=86400, immutable')
      .send(Buffer.from(picture))
  })
}
