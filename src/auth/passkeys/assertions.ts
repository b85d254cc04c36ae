import type { PasskeyAssertion } from '../../contract/account-security.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { findUser } from '../../features/people/users/store.ts'
import { day } from '../../lib/durations.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { PasskeysTable } from '../../platform/db/sign-in-tables.ts'
import { sendNotice } from '../sessions/notices.ts'
import { tryAttempt } from '../throttling/attempt-limits.store.ts'
import { type ChallengeUse, consumeChallenge } from './challenges.store.ts'
import { findPasskey, savePasskeyUse } from './passkeys.store.ts'
import { loadRelyingParty } from './relying-party.ts'
import { challengeOf, type VerifiedUse, verifyAssertion } from './verification.ts'

/** A signature of a passkey whose challenge and counter are not checked yet. */
export interface CheckedAssertion {
  readonly challenge: string | undefined
  /** Undefined if no account has the passkey. */
  readonly passkey: PasskeysTable | undefined
  /** Undefined if the signature is not valid. */
  readonly use: VerifiedUse | undefined
}

/**
 * Does the part of the check that cannot be in a transaction, because cryptography is asynchronous.
 * @param isOnlyFactor whether nothing else proves who the user is
 * @throws PASSKEYS_UNAVAILABLE
 */
export async function checkAssertion(
  { config, db }: Pick<Context, 'config' | 'db'>,
  assertion: PasskeyAssertion,
  isOnlyFactor: boolean,
): Promise<CheckedAssertion> {
  const party = loadRelyingParty(config)
  const passkey = await findPasskey(db.read, assertion.id)
  const use = passkey && (await verifyAssertion(party, assertion, passkey, isOnlyFactor))
  return { challenge: challengeOf(assertion), passkey, use }
}

/**
 * Does the rest of the check in the transaction of the action that the passkey allows. The challenge is used up whatever the
 * result. A counter that went back is recorded, because two authenticators may have the same key.
 * @param user the account that must own the passkey; undefined if any account can
 * @returns the account, or undefined if the passkey is not accepted
 */
export async function useAssertion(
  ctx: Context,
  tx: Transaction,
  { challenge, passkey, use }: CheckedAssertion,
  { user, ...challengeUse }: ChallengeUse & { user?: string },
): Promise<string | undefined> {
  const isExpected = challenge !== undefined && (await consumeChallenge(ctx, tx, challenge, challengeUse))
  if (!isExpected || !passkey || !use) return undefined
  if (user !== undefined && user !== passkey.user_id) return undefined
  if (await savePasskeyUse(tx, { id: passkey.id, ...use, now: ctx.clock.now() })) return passkey.user_id
  // A passkey that was removed since it was read has no account to tell.
  if (await findPasskey(tx, passkey.credential_id)) await recordCopy(ctx, tx, passkey)
  return undefined
}

/** Records that a passkey was refused because of its counter. The owner gets one mail a day. */
async function recordCopy(
  ctx: Context,
  tx: Transaction,
  { id, user_id: user }: PasskeysTable,
): Promise<void> {
  const details = { passkey: id, reason: 'counter' }
  const event = { organization: { of: user }, actor: null, subject: user, details }
  await audit(tx, ctx, { ...event, action: 'user.passkey-refused' })
  const limit = { key: ['passkey-copied', user], max: 1, windowMs: day }
  if ((await tryAttempt(ctx, tx, [limit])) !== undefined) return
  const language = (await findUser(tx, { id: user }))?.locale ?? 'en'
  await sendNotice(ctx, tx, { user, notice: 'passkeyCopied', language })
}
