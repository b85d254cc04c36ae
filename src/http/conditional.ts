import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tagOf } from './json-writer.ts'

/**
 * Sets the entity tag of a JSON answer (RFC 9110, section 13).
 * @param extraHeaders headers that contain data of the answer beyond its body
 * @returns whether the client has the answer already, so that 304 without a body is enough
 */
export function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string | Buffer,
  extraHeaders: readonly string[],
): boolean {
  const ofBody = tagOf(json)
  const tag = `"${extraHeaders.length > 0 ? hash('sha1', [ofBody, ...extraHeaders].join(' '), 'base64url') : ofBody}"`
  reply.raw.setHeader('ETag', tag)
  // The browser must revalidate a stored answer before each use. Shared caches must not store it.
  reply.raw.setHeader('Cache-Control', 'private, no-cache')
  const known = request.headers['if-none-match']
  return known !== undefined && (known.trim() === '*' || tagsIn(known).includes(tag))
}

/** Returns the tags for the weak comparison (section 8.8.3.2): with and without `W/`, a tag is the same. */
const tagsIn = (header: string): string[] => header.match(/"[^"]*"/g) ?? []
