import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import { File, recordingFile } from '../answer.ts'
import { MissingBlob } from '../platform/blobs/blob-files.ts'
import { openRecording } from '../platform/recordings/recording-files.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/durations.ts'
import type { LinkedFile } from '../lib/signed-links.ts'
import { isUnchanged } from './conditional.ts'
import { fileContent, isSentCompressed } from './files.ts'

/** Serves the files behind signed addresses: one blob or recording each, for 15 minutes, without credentials. */
export function linkedFiles(server: FastifyInstance, ctx: Context): void {
  server.get<{ Params: { '*': string } }>('/files/*', async (request, reply) => {
    const link = ctx.links.verify(request.params['*'])
    if (!link) fail('NOT_FOUND')
    // The address is the permission, so nothing may store the file for longer than the address is valid.
    reply.header('Cache-Control', `private, max-age=${Math.floor(link.millisecondsLeft / second)}`)
    const tag = 'blob' in link ? link.blob : link.recording
    if (isUnchanged(request, reply, tag, [], isSentCompressed(request, link.mediaType))) {
      reply.status(304)
      return undefined
    }
    return fileContent(request, reply, await openLinked(ctx, link))
  })
}

/** @throws NOT_FOUND if the file was evicted from the export cache, or the recording was deleted */
async function openLinked(ctx: Context, link: LinkedFile): Promise<File> {
  if ('recording' in link) {
    const recording = await openRecording(ctx, link.recording)
    return recordingFile(link.recording, recording ?? fail('NOT_FOUND'))
  }
  const body = await ctx.blobs.open(ctx.db.read, link.blob).catch((error) => {
    if (error instanceof MissingBlob) fail('NOT_FOUND')
    throw error
  })
  return new File(body, link.mediaType, link.name)
}
