import { hash, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { minute } from '../../lib/durations.ts'
import type { Transaction } from '../../platform/db/database.ts'

/** How long the user has to use the passkey, in milliseconds. */
export const challengeLifetimeMs = 5 * minute

/** What a signature of the challenge is good for. */
export type ChallengePurpose = 'add' | 'proof' | 'second step' | 'sign-in'

export interface ChallengeUse {
  readonly purpose: ChallengePurpose
  /** The hash of the session, the pending sign-in or the cookie of the browser that got the challenge. */
  readonly holder: string
}

/**
 * Stores a new challenge, which replaces an earlier one of the same holder and purpose.
 * @param user the account whose passkey shall sign it; undefined if any account can
 * @returns 32 random bytes in base64url
 */
export async function createChallenge(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  { purpose, holder, user }: ChallengeUse & { user?: string },
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await tx
    .deleteFrom('passkey_challenges')
    .where('holder', '=', holder)
    .where('purpose', '=', purpose)
    .execute()
  await tx
    .insertInto('passkey_challenges')
    .values({
      hash: hashOf(challenge),
      purpose,
      holder,
      user_id: user ?? null,
      expires_at: clock.now() + challengeLifetimeMs,
    })
    .execute()
  return challenge
}

/**
 * Deletes a challenge, so that it is used once. Returns whether it existed for this purpose and holder and had not expired. If
 * concurrent requests send the same one, only one of them gets true.
 */
export async function consumeChallenge(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  challenge: string,
  { purpose, holder }: ChallengeUse,
): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hashOf(challenge))
    .where('purpose', '=', purpose)
    .where('holder', '=', holder)
    .returning('expires_at')
    .executeTakeFirst()
  return deleted !== undefined && deleted.expires_at > clock.now()
}

export async function deleteExpiredChallenges(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}

/** A random challenge needs no slow hash. The challenge itself cannot be read from a backup. */
const hashOf = (challenge: string): string => hash('sha256', challenge, 'base64url')
