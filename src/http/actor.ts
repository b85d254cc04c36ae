import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../contract/scopes.ts'
import { fail } from '../errors.ts'
import { findTokenHolder, tokenLastUse } from '../features/access-tokens/store.ts'
import { hashToken, isPersonalToken } from '../lib/tokens.ts'
import type { Actor, Context, Operation, Viewer } from '../operation.ts'

/** What the Authorization header of a request came to. */
export type Credentials = { kind: 'none' } | { kind: 'refused' } | { kind: 'accepted'; actor: Actor }

/** How long a token is believed without asking the database again: a revocation elsewhere holds after this. */
const believedMilliseconds = 5000
const mostBelieved = 50_000

const none: Credentials = { kind: 'none' }
const refused: Credentials = { kind: 'refused' }

/** Finds out whose token a request bears (RFC 6750; a bare token is taken too). */
export function authenticator(ctx: Context): (request: FastifyRequest) => Credentials | Promise<Credentials> {
  // Only tokens that are ours: invented ones must not drive those out.
  const believed = new Map<string, { credentials: Credentials; until: number }>()

  async function ask(tokenHash: string, now: number): Promise<Credentials> {
    const actor = await findTokenHolder(ctx.db.read, { hash: tokenHash, now })
    if (!actor) return refused
    const credentials: Credentials = { kind: 'accepted', actor }
    if (believed.size >= mostBelieved) believed.clear()
    believed.set(tokenHash, { credentials, until: now + believedMilliseconds })
    ctx.writeBehind.note(tokenLastUse, actor.token.id, now)
    return credentials
  }

  return (request) => {
    const header = request.headers.authorization
    if (!header) return none
    const token = /^Bearer +/i.test(header) ? header.slice(7).trimStart() : header
    const tokenHash = hashToken(token)
    const now = ctx.clock.now()
    const known = believed.get(tokenHash)
    if (known && known.until > now) return known.credentials
    return isPersonalToken(token) ? ask(tokenHash, now) : refused
  }
}

/** Lets a request through to an operation: a token where one is needed (401), then one of its scopes (403). */
export function authorize(operation: Operation, credentials: Credentials, reply: FastifyReply): Viewer {
  if (credentials.kind === 'refused' || (credentials.kind === 'none' && !operation.anonymous)) {
    reply.header('WWW-Authenticate', credentials.kind === 'refused' ? 'Bearer error="invalid_token"' : 'Bearer')
    fail('UNAUTHORIZED')
  }
  if (credentials.kind === 'none') return undefined
  const { actor } = credentials
  if (!operation.scopes.some((scope: Scope) => actor.token.scopes.has(scope))) {
    reply.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${operation.scopes.join(' ')}"`)
    fail('INSUFFICIENT_SCOPE', { message: `This operation needs one of the scopes ${operation.scopes.join(', ')}.` })
  }
  return actor
}
