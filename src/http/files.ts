import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { File } from '../operation.ts'

/** Hands out a file in a way that no browser runs what is in it on our origin. */
export function sendFile(reply: FastifyReply, file: File): FastifyReply {
  return describeFile(reply, file).send(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength))
}

/** The same for a file of `size` bytes that comes in pieces. */
export function streamFile(
  reply: FastifyReply,
  file: Pick<File, 'mediaType' | 'name'>,
  { size, stream }: { size: number; stream: Readable },
): FastifyReply {
  return describeFile(reply, file).header('Content-Length', size).send(stream)
}

function describeFile(reply: FastifyReply, { mediaType, name }: Pick<File, 'mediaType' | 'name'>): FastifyReply {
  if (name !== undefined) reply.header('Content-Disposition', contentDisposition(name))
  return reply
    .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .type(mediaType)
}

/** RFC 6266: a plain name for old clients, and the real one in the encoding of RFC 8187. */
function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\w. -]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
