import type { Security } from '../../contract/account-security.ts'
import type { Context } from '../../context.ts'
import { hasNoPassword, passwordHolderOf } from '../../features/people/users/accounts.ts'
import { loadOwnAccount } from '../../features/people/users/own-account.ts'
import { findCredentials } from '../../features/people/users/store.ts'
import { day } from '../../lib/durations.ts'
import { findPasswordSetter } from '../../features/people/audit/store.ts'
import { dateTime } from '../../lib/date-time.ts'
import type { SessionActor } from '../../actor.ts'
import { minPasswordLength } from '../passwords/password-policy.ts'
import { listPasskeys } from '../passkeys/passkeys.store.ts'
import { presentPasskey } from '../passkeys/passkey.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import { countRecoveryCodes, hasAuthenticatorApp } from '../second-factor/second-factors.store.ts'
import { findEmailVerification } from '../sessions/email-verifications.store.ts'
import { listSessions } from '../sessions/store.ts'

/**
 * Returns how the caller can sign in: password, second factor, address and sessions.
 * @param session the hash of the current session
 */
export async function composeSecurity(
  { clock, config, mailer, db }: Context,
  actor: SessionActor,
  session = actor.access.hash,
): Promise<Security> {
  const now = clock.now()
  const user = await loadOwnAccount(db.read, actor)
  const [setter, credentials, isOn, recoveryCodesLeft, passkeys, waiting, sessions] = await Promise.all([
    findPasswordSetter(db.read, user.id),
    findCredentials(db.read, user),
    hasAuthenticatorApp(db.read, user.id),
    countRecoveryCodes(db.read, user.id),
    listPasskeys(db.read, user.id),
    findEmailVerification(db.read, { user: user.id, now }),
    listSessions(db.read, { user: user.id, now }),
  ])
  return {
    passwordSetBy:
      setter && setter.created_at > now - 30 * day
        ? { username: setter.username, at: dateTime(setter.created_at) }
        : null,
    hasPassword: credentials !== undefined && !hasNoPassword(credentials),
    minPasswordLength: minPasswordLength(config, passwordHolderOf(user)),
    missingFactor: stillMissing(actor.access.missingFactor, { isOn, hasPasskey: passkeys.length > 0 }),
    secondFactor: { isOn, recoveryCodesLeft },
    passkeys: { canBeAdded: relyingPartyOf(config) !== undefined, list: passkeys.map(presentPasskey) },
    email: {
      address: user.email,
      isVerified: user.email_verified === 1,
      waiting: waiting?.email ?? null,
      canBeVerified: mailer !== undefined,
    },
    sessions: sessions.map(({ hash, created_at, expires_at, created_by }) => ({
      startedAt: dateTime(created_at),
      endsAt: dateTime(expires_at),
      isCurrent: hash === session,
      isByLink: created_by !== null,
    })),
  }
}

/** Leaves out what was set up in the last seconds, because the actor is cached. */
const stillMissing = (
  missing: SessionActor['access']['missingFactor'],
  { isOn, hasPasskey }: { isOn: boolean; hasPasskey: boolean },
) => (missing === undefined || hasPasskey || (isOn && missing === 'second factor') ? null : missing)
