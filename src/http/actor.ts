import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../contract/scopes.ts'
import { fail } from '../errors.ts'
import { findTokenHolder, tokenLastUse } from '../features/access-tokens/store.ts'
import { userLastActivity } from '../features/users/store.ts'
import { hashToken, isBearerToken } from '../lib/tokens.ts'
import type { Actor, Context, Operation, Viewer } from '../operation.ts'

/** What the Authorization header of a request came to. */
export type Credentials = { kind: 'none' } | { kind: 'refused' } | { kind: 'accepted'; actor: Actor }

const none: Credentials = { kind: 'none' }
const refused: Credentials = { kind: 'refused' }

/** Finds out whose token a request bears (RFC 6750; a bare token is taken too). */
export type Authenticator = (request: FastifyRequest) => Credentials | Promise<Credentials>

export function authenticator(ctx: Context): Authenticator {
  async function ask(tokenHash: string, now: number): Promise<Credentials> {
    // Only tokens that are ours: invented ones must not drive those out.
    const actor = await ctx.actors.ask(tokenHash, now, () => findTokenHolder(ctx.db.read, { hash: tokenHash, now }))
    if (!actor) return refused
    ctx.writeBehind.note(tokenLastUse, actor.token.id, now)
    ctx.writeBehind.note(userLastActivity, actor.id, now)
    return { kind: 'accepted', actor }
  }

  return (request) => {
    const header = request.headers.authorization
    if (!header) return none
    const token = /^Bearer +/i.test(header) ? header.slice(7).trimStart() : header
    const tokenHash = hashToken(token)
    const now = ctx.clock.now()
    const actor = ctx.actors.believed(tokenHash, now)
    if (actor) return { kind: 'accepted', actor }
    return isBearerToken(token) ? ask(tokenHash, now) : refused
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
