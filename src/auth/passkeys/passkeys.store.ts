import type { Queries, Transaction } from '../../platform/db/database.ts'
import type { PasskeysTable } from '../../platform/db/sign-in-tables.ts'

/** Returns the passkeys of a user, oldest first. */
export async function listPasskeys(queries: Queries, user: string): Promise<PasskeysTable[]> {
  return queries.selectFrom('passkeys').selectAll().where('user_id', '=', user).orderBy('id').execute()
}

export async function hasPasskey(queries: Queries, user: string): Promise<boolean> {
  const row = await queries
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', user)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds a passkey by the id that its authenticator gave it. Passkeys of removed accounts are excluded. */
export async function findPasskey(
  queries: Queries,
  credentialId: string,
): Promise<PasskeysTable | undefined> {
  return queries
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .where('passkeys.credential_id', '=', credentialId)
    .where('users.deletion_at', 'is', null)
    .selectAll('passkeys')
    .executeTakeFirst()
}

/** Whether any account has a passkey with this id of the authenticator. */
export async function isCredentialKnown(queries: Queries, credentialId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('passkeys')
    .select('id')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertPasskey(tx: Transaction, passkey: PasskeysTable): Promise<void> {
  await tx.insertInto('passkeys').values(passkey).execute()
}

/** Returns whether the user has this passkey. */
export async function updatePasskeyName(
  tx: Transaction,
  { id, user, name }: { id: string; user: string; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', user)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores the use of a passkey. Returns false and does nothing if the passkey does not exist any more, or if its counter did not
 * increase (WebAuthn Level 2, section 6.1.1). A counter that is always 0 counts nothing.
 */
export async function savePasskeyUse(
  tx: Transaction,
  { id, counter, isSynced, now }: { id: string; counter: number; isSynced: boolean; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, is_synced: isSynced ? 1 : 0, last_used_at: now })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a passkey. Returns whether the user had it. */
export async function deletePasskey(tx: Transaction, of: { id: string; user: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', of.id)
    .where('user_id', '=', of.user)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes all passkeys of a user. Returns their number. */
export async function deletePasskeysOf(tx: Transaction, user: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('user_id', '=', user).executeTakeFirst()
  return Number(numDeletedRows)
}
