import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { UsersTable } from '../../db/tables.ts'
import type { DeferredWrite } from '../../db/write-behind.ts'

/** A user and what the organization says about being seen. */
type NotOfEveryAnswer = 'password_hash' | 'name_key' | 'search_key' | 'removed_by' | 'external_id'
export type UserRow = Omit<UsersTable, NotOfEveryAnswer> & { allows_public_scores: 0 | 1 | null }

function selectUsers(db: Pick<Queries, 'selectFrom'>) {
  return db
    .selectFrom('users')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .select([
      'users.id',
      'users.username',
      'users.username_key',
      'users.email',
      'users.email_key',
      'users.email_verified',
      'users.email_vouched',
      'users.firstname',
      'users.lastname',
      'users.organization_id',
      'users.organization_role',
      'users.locale',
      'users.last_activity_at',
      'users.is_test_student',
      'users.deletion_at',
      'users.created_at',
      'organizations.allows_public_scores',
    ])
}

const userById = compiled((db, p: Params<{ id: string }>) =>
  selectUsers(db).where('users.id', '=', p('id')).where('users.deletion_at', 'is', null),
)

/** A user who was not removed. */
export async function findUser(queries: Queries, by: { id: string }): Promise<UserRow | undefined> {
  const [user] = await userById(queries, by)
  return user
}

/** The users with this address, given as its key; nothing says that it is theirs. The oldest account first. */
export async function listUsersByEmail(queries: Queries, emailKey: string): Promise<UserRow[]> {
  return selectUsers(queries)
    .where('users.email_key', '=', emailKey)
    .where('users.deletion_at', 'is', null)
    .orderBy('users.id')
    .execute()
}

export interface Credentials {
  id: string
  password_hash: string
}

/**
 * What somebody signs in with, by the key of the username; by that of an address, where exactly one account has it and it
 * counts as the person's.
 */
export async function findCredentials(
  queries: Queries,
  by: { usernameKey: string } | { emailKey: string },
): Promise<Credentials | undefined> {
  const accounts = queries.selectFrom('users').select(['id', 'password_hash']).where('deletion_at', 'is', null)
  if ('usernameKey' in by) return accounts.where('username_key', '=', by.usernameKey).executeTakeFirst()
  const [user, ...others] = await accounts
    .where('email_key', '=', by.emailKey)
    .where((eb) => eb.or([eb('email_verified', '=', 1), eb('email_vouched', '=', 1)]))
    .limit(2)
    .execute()
  return others.length === 0 ? user : undefined
}

/** Whether the user has this password still, and was not removed. */
export async function hasPassword(queries: Queries, { id, password_hash }: Credentials): Promise<boolean> {
  const user = await queries
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', password_hash)
    .where('deletion_at', 'is', null)
    .executeTakeFirst()
  return user !== undefined
}

/** The id of the user with this username, given as its key. */
export async function findUserIdByName(queries: Queries, usernameKey: string): Promise<string | undefined> {
  const user = await queries
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey)
    .where('deletion_at', 'is', null)
    .executeTakeFirst()
  return user?.id
}

export async function updatePassword(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute()
}

export type AccountChange = Partial<Omit<UsersTable, 'id'>>

/** Changes what is given. */
export async function updateUser(tx: Transaction, id: string, change: AccountChange): Promise<void> {
  await tx.updateTable('users').set(change).where('id', '=', id).execute()
}

/** Removes an account, until it is deleted for good, or restores it. */
export async function updateRemoval(
  tx: Transaction,
  id: string,
  removal: Pick<UsersTable, 'deletion_at' | 'removed_by'>,
): Promise<void> {
  await tx.updateTable('users').set(removal).where('id', '=', id).execute()
}

/** A removed user, by id or by the key of the username, who can still be brought back. */
export async function findRestorable(
  queries: Queries,
  by: { idOrName: string; now: number },
): Promise<Pick<UsersTable, 'id' | 'organization_id' | 'is_test_student'> | undefined> {
  return queries
    .selectFrom('users')
    .select(['id', 'organization_id', 'is_test_student'])
    .where((eb) => eb.or([eb('id', '=', by.idOrName), eb('username_key', '=', by.idOrName)]))
    .where('deletion_at', '>', by.now)
    .executeTakeFirst()
}

/** A removed user whose time is over. */
export async function findDueUser(
  queries: Queries,
  due: { id: string; now: number },
): Promise<Pick<UsersTable, 'organization_id' | 'removed_by'> | undefined> {
  return queries
    .selectFrom('users')
    .select(['organization_id', 'removed_by'])
    .where('id', '=', due.id)
    .where('deletion_at', '<=', due.now)
    .executeTakeFirst()
}

/** Deletes an account for good, with its tokens and sessions; nothing else may refer to it any more. */
export async function deleteUser(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

export const insertUser = insertion('users')

/** The account to which the scores of the shipped library belong. Nobody can sign in with it. */
export const partitaAccount = '000000000000000000000001'

/** Whether somebody has an account. */
export async function hasUsers(queries: Queries): Promise<boolean> {
  const users = queries.selectFrom('users').select('id').where('id', '!=', partitaAccount).limit(1)
  return (await users.executeTakeFirst()) !== undefined
}

const updateActivity = compiled((db, p: Params<{ id: string; now: number }>) =>
  db
    .updateTable('users')
    .set({ last_activity_at: p('now') })
    .where('id', '=', p('id'))
    .where('last_activity_at', '<', p('now')),
)

/** Notes when somebody last did something: id of the user → milliseconds. */
export const userLastActivity: DeferredWrite = {
  name: 'user last activity',
  merge: Math.max,
  async flush(tx, notes) {
    for (const [id, now] of notes) await updateActivity(tx, { id, now })
  },
}
