import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tagOf } from './json-writer.ts'

/**
 * Marks JSON that is read with an entity tag, by which a client may ask whether it is still the same (RFC 9110, section 13).
 * @param told headers of the answer that say more of what is read than its body does
 * @returns whether the client has it already: a 304 without a body says so
 */
export function isUnchanged(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string | Buffer,
  told: readonly string[],
): boolean {
  const ofBody = tagOf(json)
  const tag = `"${told.length > 0 ? hash('sha1', [ofBody, ...told].join(' '), 'base64url') : ofBody}"`
  reply.raw.setHeader('ETag', tag)
  // Whoever keeps it asks before it is used again, and shows it to nobody else.
  reply.raw.setHeader('Cache-Control', 'private, no-cache')
  const known = request.headers['if-none-match']
  return known !== undefined && (known.trim() === '*' || tagsIn(known).includes(tag))
}

/** Compared weakly (section 8.8.3.2): a tag is the same with and without `W/`. */
const tagsIn = (header: string): string[] => header.match(/"[^"]*"/g) ?? []
