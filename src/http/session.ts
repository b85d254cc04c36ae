import type { IncomingHttpHeaders } from 'node:http'
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
}

const cookieName = 'partita_session'

/** The `Set-Cookie` of a session; without one it is ended. No script sees it, and no other site has it sent along with a form. */
export function sessionCookie(session: string | undefined, publicUrl: string): string {
  const maxAge = session === undefined ? 0 : sessionMilliseconds / 1000
  const attributes = ['Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax']
  if (publicUrl.startsWith('https:')) attributes.push('Secure')
  return [`${cookieName}=${session ?? ''}`, ...attributes].join('; ')
}

/** The hash of the session that a browser says it is in. */
export function sessionHashOf({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const values = cookie.split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=')
    return name === cookieName && value && isToken('session', value) ? [value] : []
  })
  return values[0] && hashToken(values[0])
}

export async function findVisitor(ctx: Context, headers: IncomingHttpHeaders): Promise<Visitor | undefined> {
  const hash = sessionHashOf(headers)
  if (!hash) return undefined
  const session = await findSession(ctx.db.read, { hash, now: ctx.clock.now() })
  const user = session && (await findUser(ctx.db.read, { id: session.user_id }))
  return user && { user, session: hash }
}
