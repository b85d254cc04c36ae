import { hash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import type { SecondFactorsTable } from '../../platform/db/sign-in-tables.ts'
import { newCode } from '../../lib/codes.ts'
import { sealTotpSecret, totpSecretOf } from './totp-secrets.store.ts'
import { isTotpCode, totpStepAt, totpStepOf } from './totp.ts'
import { deletePasskeysOf, hasPasskey } from '../passkeys/passkeys.store.ts'
import { deletePendingSignInsOf } from '../sessions/pending-sign-ins.store.ts'

/**
 * The number of recovery codes and their length in characters. 16 characters have 79 bits of entropy, so a
 * fast hash is sufficient to store them.
 */
const recoveryCodeCount = 10
const recoveryCodeLength = 16
/** The number of time steps in which an unconfirmed secret must be confirmed: one hour. */
const stepsToConfirm = 120

/** Finds the authenticator app of a user, confirmed or not. */
async function findSecondFactor(queries: Queries, user: string): Promise<SecondFactorsTable | undefined> {
  return queries.selectFrom('second_factors').selectAll().where('user_id', '=', user).executeTakeFirst()
}

/** Whether a user has set up an authenticator app. */
export async function hasAuthenticatorApp(queries: Queries, user: string): Promise<boolean> {
  const factor = await findSecondFactor(queries, user)
  return factor !== undefined && factor.confirmed_at !== null
}

/** Whether the password alone does not sign a user in: there is an authenticator app or a passkey. */
export async function hasSecondFactor(queries: Queries, user: string): Promise<boolean> {
  return (await hasAuthenticatorApp(queries, user)) || (await hasPasskey(queries, user))
}

/** Stores an unconfirmed secret, encrypted. It replaces an earlier unconfirmed one. */
export async function insertSecondFactor(
  ctx: Pick<Context, 'secrets'>,
  tx: Transaction,
  user: string,
  secret: Uint8Array,
  now: number,
): Promise<void> {
  await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', user)
    .where('confirmed_at', 'is', null)
    .execute()
  // Before the confirmation, `last_step` is the time step in which the secret was created.
  const row = {
    user_id: user,
    secret: sealTotpSecret(ctx, user, secret),
    confirmed_at: null,
    last_step: totpStepAt(now),
  }
  await tx.insertInto('second_factors').values(row).execute()
}

/**
 * Confirms a second factor with a code. Returns false if the code is wrong, the secret has expired, or it is
 * confirmed already.
 */
export async function confirmSecret(
  ctx: Pick<Context, 'secrets'>,
  tx: Transaction,
  user: string,
  code: string,
  now: number,
): Promise<boolean> {
  const factor = await findSecondFactor(tx, user)
  if (!factor || factor.last_step <= totpStepAt(now) - stepsToConfirm) return false
  const step = totpStepOf(totpSecretOf(ctx, factor), code, now)
  if (step === undefined) return false
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', user)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Verifies a code of the authenticator app or a recovery code, and marks it as used. Returns undefined if it
 * is invalid or was used before. If concurrent requests send the same code, only one of them succeeds.
 * A recovery code does not need the key of the secret.
 * @throws SecretError if the key of the secret is missing
 */
export async function useSecondFactor(
  ctx: Pick<Context, 'secrets'>,
  tx: Transaction,
  user: string,
  text: string,
  now: number,
): Promise<'code' | 'recovery code' | undefined> {
  const factor = isTotpCode(text) ? await findSecondFactor(tx, user) : undefined
  if (factor && factor.confirmed_at !== null) {
    const step = totpStepOf(totpSecretOf(ctx, factor), text, now)
    if (step !== undefined) return (await markStepUsed(tx, user, step)) ? 'code' : undefined
  }
  return (await useRecoveryCode(tx, user, text)) ? 'recovery code' : undefined
}

async function markStepUsed(tx: Transaction, user: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', user)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a recovery code as used. Returns false if it is wrong or was used before. */
export async function useRecoveryCode(tx: Transaction, user: string, text: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user)
    .where('hash', '=', hashOf(text))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Replaces the recovery codes of a user. Returns the new ones, of which only hashes are stored. */
export async function replaceRecoveryCodes(tx: Transaction, user: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => newCode(recoveryCodeLength))
  await tx.deleteFrom('recovery_codes').where('user_id', '=', user).execute()
  const rows = codes.map((code) => ({ user_id: user, hash: hashOf(code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-'))
}

export async function countRecoveryCodes(queries: Queries, user: string): Promise<number> {
  const codes = await queries
    .selectFrom('recovery_codes')
    .select('hash')
    .where('user_id', '=', user)
    .execute()
  return codes.length
}

/** Deletes unconfirmed secrets that have expired. */
export async function deleteExpiredSecondFactors(tx: Transaction, now: number): Promise<void> {
  await tx
    .deleteFrom('second_factors')
    .where('confirmed_at', 'is', null)
    .where('last_step', '<=', totpStepAt(now) - stepsToConfirm)
    .execute()
}

/** Deletes the authenticator app of a user, and the recovery codes with the last second factor. */
export async function deleteAuthenticatorApp(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', user).execute()
  await finishFactorRemoval(tx, user)
}

/** Deletes the recovery codes of a user who has lost the last second factor, and ends sign-ins that have begun. */
export async function finishFactorRemoval(tx: Transaction, user: string): Promise<void> {
  if (!(await hasSecondFactor(tx, user))) {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', user).execute()
  }
  await deletePendingSignInsOf(tx, user)
}

/** Deletes the authenticator app, the passkeys and the recovery codes of a user. Returns what there was. */
export async function deleteSecondFactors(
  tx: Transaction,
  user: string,
): Promise<{ app: boolean; passkeys: number }> {
  const app = await hasAuthenticatorApp(tx, user)
  const passkeys = await deletePasskeysOf(tx, user)
  await deleteAuthenticatorApp(tx, user)
  return { app, passkeys }
}

/** Hashes a recovery code. Case, spaces and hyphens are ignored. */
const hashOf = (code: string): string =>
  hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''), 'base64url')
