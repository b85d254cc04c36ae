import type { MemberSignIns } from '../../contract/account.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { dateTime } from '../../lib/date-time.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import { deleteAuthorization, listAuthorizations } from '../tokens/authorizations.store.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { presentPersonalToken } from '../tokens/personal-token.ts'
import { deleteAccessToken, listAccessTokens } from '../tokens/store.ts'
import { endSession, revokeAllSignIns } from './revocation.ts'
import { listSessions } from './store.ts'

interface SignInCount {
  sessions: number
  tokens: number
}

/** Identifies a session to others than its user. The stored hash stays secret, as for every secret that it is the hash of. */
const sessionId = (hash: string): string => hashToken(hash).slice(0, 24)

/** Lists the sessions of an account, and the tokens and apps that act for it. */
export async function listSignIns(queries: Queries, user: string, now: number): Promise<MemberSignIns> {
  const [sessions, tokens, authorizations] = await Promise.all([
    listSessions(queries, { user, now }),
    listAccessTokens(queries, user),
    listAuthorizations(queries, { user, now }),
  ])
  return {
    sessions: sessions.map(({ hash, created_at, expires_at, created_by, by_reset_password, by_pin }) => ({
      id: sessionId(hash),
      startedAt: dateTime(created_at),
      endsAt: dateTime(expires_at),
      openedBy:
        created_by !== null
          ? 'link'
          : by_pin === 1
            ? 'PIN'
            : by_reset_password === 1
              ? 'set password'
              : 'member',
    })),
    tokens: [
      ...tokens
        .filter(({ app_id, expires_at }) => app_id === null && (expires_at === null || expires_at > now))
        .map((row) => ({
          ...presentPersonalToken(row),
          app: null,
          isByAdministrator: row.created_by !== null,
        })),
      ...authorizations.map(({ id, app_id, app_name, scopes, created_at, expires_at, last_used_at }) => ({
        ...presentPersonalToken({ id, name: app_name, scopes, created_at, expires_at, last_used_at }),
        app: app_id,
        isByAdministrator: false,
      })),
    ],
  }
}

/**
 * Ends all sessions, tokens and authorizations of an account, but not its password.
 * @param by the administrator; null for the command line
 */
export async function endSignIns(
  ctx: Context,
  tx: Transaction,
  { user, by }: { user: string; by: string | null },
): Promise<SignInCount> {
  const { sessions, tokens } = await listSignIns(tx, user, ctx.clock.now())
  await revokeAllSignIns(ctx, tx, user)
  const count = { sessions: sessions.length, tokens: tokens.length }
  const event = { organization: { of: user }, actor: by, subject: user, details: count }
  await audit(tx, ctx, { ...event, action: 'user.sessions-ended' })
  return count
}

/**
 * Ends one session, token or authorization of an account.
 * @param id an id of `listSignIns`
 * @returns whether it existed
 */
export async function endSignIn(
  ctx: Context,
  tx: Transaction,
  { user, id, by }: { user: string; id: string; by: string },
): Promise<boolean> {
  const now = ctx.clock.now()
  const event = { organization: { of: user }, actor: by, subject: user }
  const session = (await listSessions(tx, { user, now })).find(({ hash }) => sessionId(hash) === id)
  if (session) {
    await endSession(ctx, tx, session.hash)
    const details = { sessions: 1, tokens: 0 }
    await audit(tx, ctx, { ...event, action: 'user.sessions-ended', details })
    return true
  }
  if ((await listAccessTokens(tx, user)).some((token) => token.id === id)) {
    await deleteAccessToken(tx, id)
    await audit(tx, ctx, { ...event, action: 'user.access-token-revoked', details: { token: id } })
  } else {
    const authorizations = await listAuthorizations(tx, { user, now })
    const authorization = authorizations.find((candidate) => candidate.id === id)
    if (!authorization) return false
    await deleteAuthorization(tx, id)
    const details = { app: authorization.app_id }
    await audit(tx, ctx, { ...event, action: 'app.authorization-revoked', details })
  }
  deleteCachedActors(ctx, tx, [user])
  return true
}
