import type { IncomingHttpHeaders } from 'node:http'
import type { Transaction } from '../db/database.ts'
import { fail } from '../errors.ts'
import { sessionMilliseconds } from '../features/sessions/session.ts'
import { findSession } from '../features/sessions/store.ts'
import { findUser, type UserRow } from '../features/users/store.ts'
import { hashToken, isToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'

/** Somebody who is signed in with a browser. */
export interface Visitor {
  readonly user: UserRow
  /** The hash of the session. */
  readonly session: string
  /** Signed in by a link that somebody else has made, who may be the one who sits there: nothing is for them that lasts longer. */
  readonly isByLink: boolean
}

const cookieName = 'partita_session'

/** Under a name by which browsers let no other host and no unencrypted page set it (RFC 6265bis, section 4.1.3.2), where that can be. */
const cookieNameAt = (publicUrl: string): string =>
  /^https:\/\/[^/]+$/.test(publicUrl) ? `__Host-${cookieName}` : cookieName

/** The `Set-Cookie` of a session; without one it is ended. No script sees it, and no other site has it sent along with a form. */
export function sessionCookie(session: string | undefined, publicUrl: string): string {
  const maxAge = session === undefined ? 0 : sessionMilliseconds / 1000
  const attributes = ['Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax']
  if (publicUrl.startsWith('https:')) attributes.push('Secure')
  return [`${cookieNameAt(publicUrl)}=${session ?? ''}`, ...attributes].join('; ')
}

/** The hash of the session that a browser says it is in; of several nobody knows which is not somebody else's. */
export function sessionHashOf({ cookie = '' }: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const expected = cookieNameAt(publicUrl)
  const values = cookie.split(';').flatMap((pair) => {
    const [name, value = ''] = pair.trim().split('=')
    return name === expected ? [value] : []
  })
  const [value = '', ...others] = values
  return others.length === 0 && isToken('session', value) ? hashToken(value) : undefined
}

export async function findVisitor(ctx: Context, headers: IncomingHttpHeaders): Promise<Visitor | undefined> {
  const hash = sessionHashOf(headers, ctx.config.publicUrl)
  if (!hash) return undefined
  const session = await findSession(ctx.db.read, { hash, now: ctx.clock.now() })
  const user = session && (await findUser(ctx.db.read, { id: session.user_id }))
  return user && { user, session: hash, isByLink: session.created_by !== null }
}

/**
 * For the transaction in which something is made that outlives the session: this may have ended since the request came, as
 * it does with another password.
 * @throws UNAUTHORIZED
 */
export async function checkIsSignedIn(ctx: Context, tx: Transaction, { session }: Visitor): Promise<void> {
  if (!(await findSession(tx, { hash: session, now: ctx.clock.now() }))) fail('UNAUTHORIZED')
}
