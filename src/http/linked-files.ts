import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import { type Context, File } from '../operation.ts'
import { sendFile } from './files.ts'

/** Files behind addresses that we signed: one blob each, for 15 minutes, without a token. */
export function linkedFiles(server: FastifyInstance, ctx: Context): void {
  server.get<{ Params: { '*': string } }>('/files/*', async (request, reply) => {
    const file = ctx.links.verify(request.params['*'])
    if (!file) fail('NOT_FOUND')
    const bytes = await ctx.blobs.read(ctx.db.read, file.blob)
    return sendFile(reply, new File(bytes, file.mediaType, file.name))
  })
}
