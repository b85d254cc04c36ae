import type { MemberSignIns } from '../../contract/account.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { dateTime } from '../../lib/date-time.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import { presentPersonalToken } from '../tokens/personal-token.ts'
import { listAccessTokens } from '../tokens/store.ts'
import { revokeAllSignIns } from './revocation.ts'
import { listSessions } from './store.ts'

interface SignInCount {
  sessions: number
  tokens: number
}

/** Lists the sessions of an account, and the tokens that act for it. */
export async function listSignIns(queries: Queries, user: string, now: number): Promise<MemberSignIns> {
  const [sessions, tokens] = await Promise.all([
    listSessions(queries, { user, now }),
    listAccessTokens(queries, user),
  ])
  return {
    sessions: sessions.map(({ created_at, expires_at, created_by, by_reset_password }) => ({
      startedAt: dateTime(created_at),
      endsAt: dateTime(expires_at),
      openedBy: created_by !== null ? 'link' : by_reset_password === 1 ? 'set password' : 'member',
    })),
    tokens: tokens
      .filter(({ expires_at }) => expires_at === null || expires_at > now)
      .map((row) => ({
        ...presentPersonalToken(row),
        app: row.app_id,
        isByAdministrator: row.created_by !== null,
      })),
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
