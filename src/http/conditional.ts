import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { File } from '../answer.ts'
import { tagOf } from './json-writer.ts'

/** Returns the part of an entity tag that stands for a JSON body. */
export const jsonTag: (json: string | Buffer) => string = tagOf

/** Returns the part of an entity tag that stands for a file; undefined for a stream without a hash. */
export function fileTag({ body, hash: known }: File): string | undefined {
  return known ?? ('stream' in body ? undefined : hash('sha1', body, 'base64url'))
}

/**
 * Sets the entity tag of an answer (RFC 9110, section 13).
 * @param ofBody the same text for the same body
 * @param extraHeaders headers that contain data of the answer beyond its body
 * @param isEncoded whether the body is sent in another encoding, which makes the tag weak (section 8.8.1)
 * @returns whether the client has the answer already, so that 304 without a body is enough
 */
export function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  ofBody: string,
  extraHeaders: readonly string[] = [],
  isEncoded = false,
): boolean {
  const tag = `"${extraHeaders.length > 0 ? hash('sha1', [ofBody, ...extraHeaders].join('\n'), 'base64url') : ofBody}"`
  reply.raw.setHeader('ETag', isEncoded ? `W/${tag}` : tag)
  const known = request.headers['if-none-match']
  return known !== undefined && (known.trim() === '*' || tagsIn(known).includes(tag))
}

/** Returns the tags for the weak comparison (section 8.8.3.2): with and without `W/`, a tag is the same. */
const tagsIn = (header: string): string[] => header.match(/"[^"]*"/g) ?? []
