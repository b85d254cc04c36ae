import type { SessionActor } from '../../../actor.ts'
import { provePassword } from '../../../auth/security/proof.ts'
import { findSessionStart } from '../../../auth/sessions/store.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { minute } from '../../../lib/durations.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { requiresProvider } from '../organizations/store.ts'
import { hasNoPassword } from '../users/accounts.ts'
import { findCredentials } from '../users/store.ts'

/** What proves that the owner of an account is at the browser. */
type Proof = 'password' | 'recent sign-in'

/**
 * Returns what proves that the owner of an account is at the browser: the password, or a recent sign-in if the account has no
 * password or its organization requires a provider.
 */
export async function proofFor(queries: Queries, { id }: Pick<SessionActor, 'id'>): Promise<Proof> {
  const [credentials, usesProvider] = await Promise.all([
    findCredentials(queries, { id }),
    requiresProvider(queries, id),
  ])
  return usesProvider || !credentials || hasNoPassword(credentials) ? 'recent sign-in' : 'password'
}

/** The maximum age of a recent sign-in, in milliseconds. */
const recently = 15 * minute

/**
 * Checks the proof that the account has.
 * @throws WRONG_PASSWORD, TOO_MANY_ATTEMPTS, RECENT_SIGN_IN_REQUIRED
 */
export async function prove(ctx: Context, actor: SessionActor, password = ''): Promise<void> {
  if ((await proofFor(ctx.db.read, actor)) === 'password') return provePassword(ctx, actor, password)
  const start = await findSessionStart(ctx.db.read, actor.access.hash)
  if (start === undefined || start < ctx.clock.now() - recently) fail('RECENT_SIGN_IN_REQUIRED')
}
