import type { IncomingHttpHeaders } from 'node:http'
import type { Transaction } from '../db/database.ts'
import { fail } from '../errors.ts'
import { pendingMilliseconds } from '../features/sessions/pending-sign-ins.ts'
import { sessionMilliseconds } from '../features/sessions/session.ts'
import { findSession } from '../features/sessions/store.ts'
import { findUser, type UserRow } from '../features/users/store.ts'
import { hashToken, isToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'
import { cookie, cookieOf } from './cookies.ts'

/** Somebody who is signed in with a browser. */
export interface Visitor {
  readonly user: UserRow
  /** The hash of the session. */
  readonly session: string
  /** Signed in by a link that somebody else has made, who may be the one who sits there: nothing is for them that lasts longer. */
  readonly isByLink: boolean
}

const cookieName = 'partita_session'

/** The `Set-Cookie` of a session; without one it is ended. */
export const sessionCookie = (session: string | undefined, publicUrl: string): string =>
  cookie(cookieName, session, sessionMilliseconds, publicUrl)

/** The hash of the session that a browser says it is in. */
export function sessionHashOf(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const value = cookieOf(headers, cookieName, publicUrl)
  return value !== undefined && isToken('session', value) ? hashToken(value) : undefined
}

const pendingName = 'partita_signing_in'

/** The `Set-Cookie` of who has given the password, and the second factor not yet; without a token it is taken back. */
export const pendingCookie = (token: string | undefined, publicUrl: string): string =>
  cookie(pendingName, token, pendingMilliseconds, publicUrl)

export function pendingHashOf(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const value = cookieOf(headers, pendingName, publicUrl)
  return value !== undefined && isToken('pendingSignIn', value) ? hashToken(value) : undefined
}

export async function findVisitor(ctx: Context, headers: IncomingHttpHeaders): Promise<Visitor | undefined> {
  const hash = sessionHashOf(headers, ctx.config.publicUrl)
  if (!hash) return undefined
  const session = await findSession(ctx.db.read, { hash, now: ctx.clock.now() })
  const user = session && (await findUser(ctx.db.read, { id: session.user_id }))
  return user && { user, session: hash, isByLink: session.created_by !== null }
}

/** For who asks for what is a person's own, and is nobody in particular. */
export const notSignedIn = { message: 'You are not signed in, or no longer.' }

/**
 * For the transaction in which something is made that outlives the session: this may have ended since the request came, as
 * it does with another password.
 * @throws UNAUTHORIZED
 */
export async function checkIsSignedIn(ctx: Context, tx: Transaction, { session }: Visitor): Promise<void> {
  if (!(await findSession(tx, { hash: session, now: ctx.clock.now() }))) fail('UNAUTHORIZED', notSignedIn)
}
