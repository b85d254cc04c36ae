import type { Transaction } from '../../platform/db/database.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { deleteOldSessions, insertSession } from './store.ts'
import { day, hour } from '../../lib/durations.ts'

/** Lifetime of a session in milliseconds. */
export const sessionLifetimeMs = 14 * day

/** Lifetime of a session that a PIN opened: a day at school, because students share the devices of a class. */
const pinSessionLifetimeMs = 10 * hour

/** Maximum number of sessions of one account. */
const maxSessions = 100

/** How a session came about, if another person may have opened it. */
export interface SessionOrigin {
  /** The administrator who created the sign-in link. */
  readonly linkBy?: string
  /** True if a teacher or administrator had set the password. */
  readonly byResetPassword?: boolean
  /** True if a student signed in with the PIN of a class, which the teacher knows. */
  readonly byPin?: boolean
}

/**
 * Opens a session for a user. The oldest sessions of the account end if it has too many.
 * @returns the token of the session; only its hash is stored
 */
export async function createSession(
  ctx: Pick<Context, 'clock' | 'auth'>,
  tx: Transaction,
  user: string,
  { linkBy, byResetPassword = false, byPin = false }: SessionOrigin = {},
): Promise<string> {
  const session = newToken('session')
  const now = ctx.clock.now()
  const hasEndedOthers = await deleteOldSessions(tx, { user, keep: maxSessions - 1 })
  if (hasEndedOthers) deleteCachedActors(ctx, tx, [user])
  await insertSession(tx, {
    hash: hashToken(session),
    user_id: user,
    created_at: now,
    expires_at: now + (byPin ? pinSessionLifetimeMs : sessionLifetimeMs),
    created_by: linkBy ?? null,
    by_reset_password: byResetPassword ? 1 : 0,
    by_pin: byPin ? 1 : 0,
  })
  return session
}
