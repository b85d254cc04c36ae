import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { PasswordOrigin, UsersTable } from '../../../platform/db/people-tables.ts'
import type { DeferredWrite } from '../../../platform/db/write-behind.ts'

/** A user, with what the organization sets. */
type HiddenColumn =
  | 'password_hash'
  | 'password_origin'
  | 'name_key'
  | 'search_key'
  | 'removed_by'
  | 'external_id'
export type UserRow = Omit<UsersTable, HiddenColumn> & {
  allows_public_scores: 0 | 1 | null
  min_password_length: number | null
}

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
      'users.bio',
      'users.is_private',
      'users.picture_id',
      'users.cover_picture_id',
      'users.last_activity_at',
      'users.is_test_student',
      'users.deletion_at',
      'users.created_at',
      'users.max_storage',
      'users.rate_limit',
      'organizations.allows_public_scores',
      'organizations.min_password_length',
    ])
}

const userById = compiled((db, p: Params<{ id: string }>) =>
  selectUsers(db).where('users.id', '=', p('id')).where('users.deletion_at', 'is', null),
)

/** Finds a user who is not removed. */
export async function findUser(queries: Queries, by: { id: string }): Promise<UserRow | undefined> {
  const [user] = await userById(queries, by)
  return user
}

/**
 * Lists the users with an address, given as its key, whether verified or not. The oldest account comes first.
 */
export async function listUsersByEmail(queries: Queries, emailKey: string): Promise<UserRow[]> {
  return selectUsers(queries)
    .where('users.email_key', '=', emailKey)
    .where('users.deletion_at', 'is', null)
    .orderBy('users.id')
    .execute()
}

/** Whether the organization still stores a removed account with this address, given as its key. */
export async function hasRemovedMember(
  queries: Queries,
  by: { organization: string; emailKey: string },
): Promise<boolean> {
  const user = await queries
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', by.emailKey)
    .where('organization_id', '=', by.organization)
    .where('deletion_at', 'is not', null)
    .where((eb) => eb.or([eb('email_verified', '=', 1), eb('email_vouched', '=', 1)]))
    .executeTakeFirst()
  return user !== undefined
}

/** Returns which of these usernames, given as keys, are taken. */
export async function findTakenNames(
  queries: Queries,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const users = await queries
    .selectFrom('users')
    .select('username_key')
    .where('username_key', 'in', keys)
    .execute()
  return new Set(users.map(({ username_key }) => username_key))
}

export interface Credentials {
  id: string
  password_hash: string
}

/** Finds the credentials of a user by the key of the username or by id. */
export async function findCredentials(
  queries: Queries,
  by: { usernameKey: string } | { id: string },
): Promise<Credentials | undefined> {
  const [account] = 'id' in by ? await credentialsById(queries, by) : await credentialsByName(queries, by)
  return account
}

const credentialsById = compiled((db, p: Params<{ id: string }>) =>
  selectCredentials(db).where('id', '=', p('id')),
)
const credentialsByName = compiled((db, p: Params<{ usernameKey: string }>) =>
  selectCredentials(db).where('username_key', '=', p('usernameKey')),
)

const selectCredentials = (db: Pick<Queries, 'selectFrom'>) =>
  db.selectFrom('users').select(['id', 'password_hash']).where('deletion_at', 'is', null)

/**
 * Finds the accounts that may sign in with an address, given as its key: the account that has verified it, or
 * else each account that is the only one for which its organization vouches, the oldest first. So an
 * organization cannot take over an address of another organization's member.
 */
export async function findCredentialsByEmail(
  queries: Queries,
  emailKey: string,
  limit: number,
): Promise<{ owner: Credentials | undefined; vouched: Credentials[] }> {
  const accounts = queries
    .selectFrom('users')
    .where('email_key', '=', emailKey)
    .where('deletion_at', 'is', null)
  const vouched = accounts
    .where('email_vouched', '=', 1)
    .where('email_verified', '=', 0)
    .groupBy('organization_id')
    .having((eb) => eb.fn.countAll(), '=', 1)
    .select((eb) => eb.fn.min('id').as('id'))
    .orderBy('id')
    .limit(limit)
  const owner = await accounts
    .where('email_verified', '=', 1)
    .select(['id', 'password_hash'])
    .executeTakeFirst()
  const others = await queries
    .selectFrom('users')
    .innerJoin(vouched.as('vouched'), 'vouched.id', 'users.id')
    .select(['users.id', 'password_hash'])
    .orderBy('users.id')
    .execute()
  return { owner, vouched: others }
}

/** Returns the id of the user with this username, given as its key. */
export async function findUserIdByName(queries: Queries, usernameKey: string): Promise<string | undefined> {
  const user = await queries
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey)
    .where('deletion_at', 'is', null)
    .executeTakeFirst()
  return user?.id
}

/** Sets the password of a user. */
export async function updatePassword(
  tx: Transaction,
  id: string,
  passwordHash: string,
  origin: PasswordOrigin = 'own',
): Promise<void> {
  const change = { password_hash: passwordHash, password_origin: origin }
  await tx.updateTable('users').set(change).where('id', '=', id).execute()
}

/** Whether a teacher may know the password, or has known the one before it. */
export const isFromTeacher = (origin: PasswordOrigin): boolean =>
  origin === 'teacher' || origin === 'unproven'

export type AccountChange = Partial<Omit<UsersTable, 'id'>>

/** Updates the given columns. */
export async function updateUser(tx: Transaction, id: string, change: AccountChange): Promise<void> {
  await tx.updateTable('users').set(change).where('id', '=', id).execute()
}

/** Marks an account as removed until it is deleted, or restores it. */
export async function updateRemoval(
  tx: Transaction,
  id: string,
  removal: Pick<UsersTable, 'deletion_at' | 'removed_by'>,
): Promise<void> {
  await tx.updateTable('users').set(removal).where('id', '=', id).execute()
}

/** Finds a removed user who can still be restored, by id or by the key of the username. */
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

/** Finds any account, even a removed one, by id or by the key of the username. */
export async function findAccount(
  queries: Queries,
  idOrName: string,
): Promise<Omit<UsersTable, 'password_hash' | 'search_key'> | undefined> {
  return queries
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', idOrName), eb('username_key', '=', idOrName)]))
    .executeTakeFirst()
}

/** Finds a removed user whose retention period is over. */
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

/**
 * Clears the account from the accounts that it has removed. A successor of these is then found without it.
 */
export async function clearRemovedBy(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable('users').set({ removed_by: null }).where('removed_by', '=', id).execute()
}

/** Deletes an account with its tokens and sessions. No other row may refer to it. */
export async function deleteUser(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

export const insertUser = insertion('users')

/** The account that owns the scores of the shipped library. No user can sign in with it. */
export const partitaAccount = '000000000000000000000001'

/** Whether any account exists, apart from the account of the shipped library. */
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

/** Stores the time of the last activity: id of the user → milliseconds. */
export const userLastActivity: DeferredWrite = {
  name: 'user last activity',
  merge: Math.max,
  async flush(tx, notes) {
    for (const [id, now] of notes) await updateActivity(tx, { id, now })
  },
}
