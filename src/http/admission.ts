import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, Viewer } from '../actor.ts'
import type { Scope } from '../contract/scopes.ts'
import { fail } from '../errors.ts'
import type { Operation } from '../operation.ts'

/**
 * The result of authenticating a request. It is `none` without credentials or with the cookie of a session that has ended, and
 * `refused` with a token that does not exist or no longer counts.
 */
export type Credentials = { kind: 'none' } | { kind: 'refused' } | { kind: 'accepted'; actor: Actor }

/** Finds the actor of a request. It answers synchronously when the actor is cached. */
export type Authenticator = (request: FastifyRequest) => Credentials | Promise<Credentials>

/**
 * Admits a request to an operation.
 * @throws UNAUTHORIZED if the request has no credentials and the operation needs some, or has credentials that do not count or
 *   that the operation does not accept; DELEGATED_SESSION if the operation accepts only sessions and this one is delegated;
 *   SECOND_FACTOR_REQUIRED or PASSKEY_REQUIRED if the user must set one up first;
 *   INSUFFICIENT_SCOPE if the actor has none of the scopes
 */
export function authorize(operation: Operation, credentials: Credentials, reply: FastifyReply): Viewer {
  if (credentials.kind === 'none' && operation.anonymous) return undefined
  if (credentials.kind !== 'accepted' || !accepts(operation, credentials.actor)) {
    return refuse(operation, credentials, reply)
  }
  const { actor } = credentials
  if (operation.accepts === 'session' && actor.access.isDelegated && !operation.acceptsDelegated)
    fail('DELEGATED_SESSION')
  if (actor.access.kind === 'session' && actor.access.missingFactor && !operation.beforeSecondFactor) {
    fail(actor.access.missingFactor === 'passkey' ? 'PASSKEY_REQUIRED' : 'SECOND_FACTOR_REQUIRED')
  }
  const { scopes, furtherScopes } = operation
  const isGranted = (scope: Scope) => actor.access.scopes.has(scope)
  if (scopes.length > 0 && !scopes.some(isGranted) && !furtherScopes.some(isGranted)) {
    reply.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`)
    fail('INSUFFICIENT_SCOPE', { message: `This operation requires one of the scopes ${scopes.join(', ')}.` })
  }
  return actor
}

const accepts = ({ accepts }: Operation, { access }: Actor): boolean =>
  accepts === 'either' || accepts === access.kind

function refuse({ accepts }: Operation, { kind }: Credentials, reply: FastifyReply): never {
  // A scheme that opens nothing here is not offered.
  if (accepts === 'session') {
    fail('UNAUTHORIZED', { message: 'You are not signed in, or your session has ended.' })
  }
  reply.header('WWW-Authenticate', kind === 'none' ? 'Bearer' : 'Bearer error="invalid_token"')
  fail('UNAUTHORIZED')
}

/** An account whose requests are counted. */
export interface CountedAccount {
  /** The key under which the requests are counted. */
  key: string
  /** Requests per hour; undefined for the default. */
  limit: number | undefined
}

/**
 * Returns the account under which a request is counted. Sessions of an account have a quota apart from its tokens, so that a
 * user can still revoke the token of a program that has used up the quota.
 */
export function countedAccountOf(viewer: Viewer): CountedAccount | undefined {
  if (!viewer) return undefined
  const { id, rateLimit: limit, access } = viewer
  return { key: access.kind === 'session' ? `${id} by session` : id, limit }
}
