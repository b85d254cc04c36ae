import { findTokenHolder, tokenLastUse } from './tokens/store.ts'
import { findSessionActor } from './sessions/store.ts'
import { sessionHashOf } from './sessions/session-user.ts'
import { userLastActivity } from '../features/people/users/store.ts'
import type { Authenticator, Credentials } from '../http/admission.ts'
import { isFromOwnPage } from '../http/cross-site.ts'
import { hashToken, isBearerToken } from '../lib/tokens.ts'
import type { Actor } from '../actor.ts'
import type { Context } from '../context.ts'

const none: Credentials = { kind: 'none' }
const refused: Credentials = { kind: 'refused' }

/**
 * Authenticates requests by a bearer token in the `Authorization` header (RFC 6750), with or without the word `Bearer`. If the
 * request has no such header, it authenticates them by the session cookie, which counts only for scripts of our own pages (see
 * `isFromOwnPage`). A session that has ended counts as no credentials, so that a browser which still has its cookie can open what
 * is open to anonymous clients. A token that does not count is refused, because its client must replace it.
 */
export function authenticator(ctx: Context): Authenticator {
  const { actors } = ctx.auth

  /** Looks in the cache first. Returns a promise only if the database must be asked. */
  function credentialsOf(
    hash: string,
    find: (key: { hash: string; now: number }) => Promise<Actor | undefined>,
    ifMissing: Credentials,
  ): Credentials | Promise<Credentials> {
    const now = ctx.clock.now()
    const cached = actors.get(hash, now)
    if (cached) return { kind: 'accepted', actor: cached }
    return actors
      .load(hash, now, () => find({ hash, now }))
      .then((actor) => {
        if (!actor) return ifMissing
        if (actor.access.kind === 'token') ctx.writeBehind.note(tokenLastUse, actor.access.id, now)
        ctx.writeBehind.note(userLastActivity, actor.id, now)
        return { kind: 'accepted', actor }
      })
  }

  return ({ headers }) => {
    const { authorization } = headers
    if (authorization) {
      const token = /^Bearer +/i.test(authorization) ? authorization.slice(7).trimStart() : authorization
      // A token without the right checksum was never issued, so it is not looked up.
      if (!isBearerToken(token)) return refused
      return credentialsOf(hashToken(token), (key) => findTokenHolder(ctx.db.read, key), refused)
    }
    if (authorization !== undefined || !isFromOwnPage(headers, ctx.config.publicUrl)) return none
    const session = sessionHashOf(headers, ctx.config.publicUrl)
    if (session === undefined) return none
    return credentialsOf(session, (key) => findSessionActor(ctx.db.read, key), none)
  }
}
