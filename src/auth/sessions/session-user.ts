import type { Actor } from '../../actor.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Transaction } from '../../platform/db/database.ts'
import { fail } from '../../errors.ts'
import type { MissingFactor } from './organization-rules.ts'
import { pendingSignInLifetimeMs } from './pending-sign-ins.store.ts'
import { sessionLifetimeMs } from './session.ts'
import { findSession } from './store.ts'
import { findUser, type UserRow } from '../../features/people/users/store.ts'
import { hashToken, isToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { cookie, cookieOf } from '../../http/cookies.ts'

/** A user who is signed in with a browser, as pages need them. Operations get an `Actor` instead. */
export interface SessionUser {
  readonly user: UserRow
  /** The hash of the session. */
  readonly session: string
  /** True if an administrator created the sign-in link that opened the session. */
  readonly isByLink: boolean
  /** True if a student signed in with the PIN of a class. */
  readonly isByPin: boolean
  /**
   * True if another person may be at the browser: the session was opened by a sign-in link, with a PIN, or with a password that
   * a teacher or administrator had set. Such a session makes nothing that outlives it.
   */
  readonly isDelegated: boolean
  /** What the organization requires and the user has not set up. The session opens nothing else. */
  readonly missingFactor: MissingFactor | undefined
}

const sessionCookieName = 'partita_session'
const pendingCookieName = 'partita_signing_in'

/** Returns the `Set-Cookie` header of a session. Without a session, the header deletes the cookie. */
export const sessionCookie = (session: string | undefined, publicUrl: string): string =>
  cookie(sessionCookieName, session, sessionLifetimeMs, publicUrl)

/** Returns the hash of the session named by the cookie of a request, whether or not the session exists. */
export function sessionHashOf(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const value = cookieOf(headers, sessionCookieName, publicUrl)
  return value !== undefined && isToken('session', value) ? hashToken(value) : undefined
}

/**
 * Returns the `Set-Cookie` header of a sign-in that waits for the second factor. Without a token, the header deletes the
 * cookie.
 */
export const pendingCookie = (token: string | undefined, publicUrl: string): string =>
  cookie(pendingCookieName, token, pendingSignInLifetimeMs, publicUrl)

export function pendingHashOf(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const value = cookieOf(headers, pendingCookieName, publicUrl)
  return value !== undefined && isToken('pendingSignIn', value) ? hashToken(value) : undefined
}

/** Returns the user of the session named by the cookie of a request. */
export async function findSessionUser(
  ctx: Context,
  headers: IncomingHttpHeaders,
): Promise<SessionUser | undefined> {
  const hash = sessionHashOf(headers, ctx.config.publicUrl)
  if (!hash) return undefined
  const session = await findSession(ctx.db.read, { hash, now: ctx.clock.now() })
  const user = session && (await findUser(ctx.db.read, { id: session.user_id }))
  if (!user) return undefined
  const { isByLink, isByPin, isDelegated, missingFactor } = session
  return { user, session: hash, isByLink, isByPin, isDelegated, missingFactor }
}

/**
 * Checks within a transaction that a session still exists. A transaction that makes something that outlives the session must
 * call this, because the session may have ended since the request was authenticated, for instance by a new password.
 * @param session the hash of the session
 * @throws UNAUTHORIZED
 */
export async function checkIsSignedIn(ctx: Context, tx: Transaction, session: string): Promise<void> {
  if (!(await findSession(tx, { hash: session, now: ctx.clock.now() }))) {
    fail('UNAUTHORIZED', { message: 'You are not signed in, or your session has ended.' })
  }
}

/**
 * Does what `checkIsSignedIn` does, for an operation that accepts tokens too.
 * @throws UNAUTHORIZED
 */
export async function checkSessionExists(ctx: Context, tx: Transaction, { access }: Actor): Promise<void> {
  if (access.kind === 'session') await checkIsSignedIn(ctx, tx, access.hash)
}
