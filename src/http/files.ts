import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { File } from '../answer.ts'
import { closeIfStalled } from './stalled-readers.ts'

/**
 * Sets the headers of a file, with a policy that keeps browsers from running its content on our origin. Returns the content for
 * Fastify to send.
 */
export function fileContent(reply: FastifyReply, { body, mediaType, name }: File): Readable | Buffer {
  closeIfStalled(reply.raw)
  if (name !== undefined) reply.header('Content-Disposition', contentDisposition(name))
  reply
    .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .type(mediaType)
  if ('size' in body) reply.header('Content-Length', body.size)
  if ('stream' in body) return body.stream
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/**
 * Returns the header of RFC 6266: a plain name for old clients, and the real name in the encoding of RFC
 * 8187.
 */
function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\w. -]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
