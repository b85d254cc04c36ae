import { hash } from 'node:crypto'
import type { Queries, Transaction } from '../../db/database.ts'
import type { SecondFactorsTable } from '../../db/sign-in-tables.ts'
import { newCode } from '../../lib/codes.ts'
import { totpStepAt, totpStepOf } from '../../lib/totp.ts'
import { deletePendingSignInsOf } from './pending-sign-ins.ts'

/** How many codes are made that stand in for the app, and of how many characters: 79 bits, of which a fast hash tells nothing. */
const recoveryCodes = 10
const recoveryCodeLength = 16
/** For so long a secret waits for a code of it: an hour, in steps of which a code is one. */
const stepsToConfirm = 120

/** What is kept of a second factor, whether or not it counts already. */
async function findSecondFactor(queries: Queries, user: string): Promise<SecondFactorsTable | undefined> {
  return queries.selectFrom('second_factors').selectAll().where('user_id', '=', user).executeTakeFirst()
}

/** Whether somebody signs in by more than a password. */
export async function hasSecondFactor(queries: Queries, user: string): Promise<boolean> {
  const factor = await findSecondFactor(queries, user)
  return factor !== undefined && factor.confirmed_at !== null
}

/** Keeps a secret that does not count before a code of it is given. It takes the place of one that did not count either. */
export async function insertSecondFactor(
  tx: Transaction,
  user: string,
  secret: Uint8Array,
  now: number,
): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', user).where('confirmed_at', 'is', null).execute()
  // Until it counts, the step in which it was made.
  const row = { user_id: user, secret, confirmed_at: null, last_step: totpStepAt(now) }
  await tx.insertInto('second_factors').values(row).execute()
}

/** Lets a second factor count from now on, where this is a code of it. Whether it is, and it did not count before nor has run out. */
export async function confirmSecondFactor(tx: Transaction, user: string, code: string, now: number): Promise<boolean> {
  const factor = await findSecondFactor(tx, user)
  if (!factor || factor.last_step <= totpStepAt(now) - stepsToConfirm) return false
  const step = totpStepOf(factor.secret, code, now)
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
 * Uses up what somebody gives as their second factor; undefined where it is nothing of the kind, or was used before. Of
 * several who give the same at once, one is believed.
 */
export async function useSecondFactor(
  tx: Transaction,
  user: string,
  text: string,
  now: number,
): Promise<'code' | 'recovery code' | undefined> {
  const factor = await findSecondFactor(tx, user)
  if (!factor || factor.confirmed_at === null) return undefined
  const step = totpStepOf(factor.secret, text, now)
  if (step !== undefined) return (await useStep(tx, user, step)) ? 'code' : undefined
  return (await useRecoveryCode(tx, user, text)) ? 'recovery code' : undefined
}

async function useStep(tx: Transaction, user: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', user)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function useRecoveryCode(tx: Transaction, user: string, text: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', user)
    .where('hash', '=', hashOf(text))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Makes recovery codes, which are seen this once; those of before hold no more. */
export async function replaceRecoveryCodes(tx: Transaction, user: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => newCode(recoveryCodeLength))
  await tx.deleteFrom('recovery_codes').where('user_id', '=', user).execute()
  const rows = codes.map((code) => ({ user_id: user, hash: hashOf(code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-'))
}

export async function countRecoveryCodes(queries: Queries, user: string): Promise<number> {
  const codes = await queries.selectFrom('recovery_codes').select('hash').where('user_id', '=', user).execute()
  return codes.length
}

/** Forgets the secrets of which no code was given in time. */
export async function deleteSpentSecondFactors(tx: Transaction, now: number): Promise<void> {
  await tx
    .deleteFrom('second_factors')
    .where('confirmed_at', 'is', null)
    .where('last_step', '<=', totpStepAt(now) - stepsToConfirm)
    .execute()
}

/** Lets a password be enough again. Whether more was asked for. */
export async function deleteSecondFactor(tx: Transaction, user: string): Promise<boolean> {
  const counted = await hasSecondFactor(tx, user)
  await tx.deleteFrom('second_factors').where('user_id', '=', user).execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', user).execute()
  await deletePendingSignInsOf(tx, user)
  return counted
}

/** However it was typed: case, spaces and hyphens do not matter. */
const hashOf = (code: string): string => hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''), 'base64url')
