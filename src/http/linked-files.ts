import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import { File } from '../answer.ts'
import { MissingBlob } from '../platform/blobs/blob-files.ts'
import type { BlobBody } from '../platform/blobs/blob-store.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/durations.ts'
import { isUnchanged } from './conditional.ts'
import { fileContent, isSentCompressed } from './files.ts'

/** Serves the files behind signed addresses: one blob each, for 15 minutes, without credentials. */
export function linkedFiles(server: FastifyInstance, ctx: Context): void {
  server.get<{ Params: { '*': string } }>('/files/*', async (request, reply) => {
    const link = ctx.links.verify(request.params['*'])
    if (!link) fail('NOT_FOUND')
    // The address is the permission, so nothing may store the file for longer than the address is valid.
    reply.header('Cache-Control', `private, max-age=${Math.floor(link.millisecondsLeft / second)}`)
    if (isUnchanged(request, reply, link.blob, [], isSentCompressed(request, link.mediaType))) {
      reply.status(304)
      return undefined
    }
    return fileContent(request, reply, new File(await openLinked(ctx, link.blob), link.mediaType, link.name))
  })
}

/** @throws NOT_FOUND if the file was evicted from the export cache */
async function openLinked({ blobs, db }: Context, blob: string): Promise<BlobBody> {
  return blobs.open(db.read, blob).catch((error) => {
    if (error instanceof MissingBlob) fail('NOT_FOUND')
    throw error
  })
}
