import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import { type Context, File } from '../operation.ts'
import { sendFile } from './files.ts'

/** Files behind addresses that we signed: one blob each, for 15 minutes, without a token. */
export function linkedFiles(server: FastifyInstance, ctx: Context): void {
  server.get<{ Params: { '*': string } }>('/files/*', async (request, reply) => {
    const file = ctx.links.verify(request.params['*'])
    if (!file) fail('NOT_FOUND')
    // Who has the address has the file: nothing between here and there is to keep it for longer than that holds.
    reply.header('Cache-Control', 'private, no-store')
    return sendFile(reply, new File(await ctx.blobs.open(ctx.db.read, file.blob), file.mediaType, file.name))
  })
}
