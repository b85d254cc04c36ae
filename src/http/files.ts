import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { File } from '../answer.ts'
import { rangeContent } from './ranges.ts'
import { closeIfStalled } from './stalled-readers.ts'

/**
 * Sets the headers of a file, with a policy that keeps browsers from running its content on our origin. A text is compressed if the
 * client accepts it: a page of music has a twelfth of its size then. Returns the content for Fastify to send.
 */
export function fileContent(
  request: FastifyRequest,
  reply: FastifyReply,
  file: File,
): Readable | Buffer | Promise<Buffer> {
  const { body, mediaType, name, ranges } = file
  closeIfStalled(reply.raw)
  if (name !== undefined) reply.header('Content-Disposition', contentDisposition(name))
  reply
    .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .type(mediaType)
  if (ranges) return rangeContent(request, reply, ranges, file.hash)
  if (isText(mediaType)) addVary(reply, 'Accept-Encoding')
  if (isSentCompressed(request, mediaType)) {
    reply.header('Content-Encoding', 'gzip')
    if (!('stream' in body)) return promisify(gzip)(body)
    const compressed = createGzip()
    // An error of either ends the response.
    pipeline(body.stream, compressed, () => {})
    return compressed
  }
  if ('size' in body) reply.header('Content-Length', body.size)
  return 'stream' in body ? body.stream : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/** The operation may have named headers on which its content depends, such as those of the session. */
function addVary(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('Vary')
  reply.header('Vary', named === undefined ? name : `${named}, ${name}`)
}

/** Events must leave at once, so they are not compressed. */
const isText = (mediaType: string): boolean => /^text\/(?!event-stream)|[/+](?:json|xml)$/.test(mediaType)

/** Whether a file of this type is compressed for the client of the request. */
export const isSentCompressed = (request: FastifyRequest, mediaType: string): boolean =>
  isText(mediaType) && new Negotiator(request).encodings(['gzip']).includes('gzip')

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
