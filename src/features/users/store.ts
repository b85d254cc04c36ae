import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { UsersTable } from '../../db/tables.ts'

/** A user and what the organization says about being seen. */
export type UserRow = Omit<UsersTable, 'password_hash'> & { allows_public_scores: 0 | 1 | null }

const userById = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('users')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('users.id', '=', p('id'))
    .select([
      'users.id',
      'users.username',
      'users.username_key',
      'users.email',
      'users.email_verified',
      'users.firstname',
      'users.lastname',
      'users.organization_id',
      'users.organization_role',
      'users.locale',
      'users.created_at',
      'organizations.allows_public_scores',
    ]),
)

export async function findUser(queries: Queries, by: { id: string }): Promise<UserRow | undefined> {
  const [user] = await userById(queries, by)
  return user
}

/** The id of the user with this username, given as its key. */
export async function findUserIdByName(queries: Queries, usernameKey: string): Promise<string | undefined> {
  const user = await queries.selectFrom('users').select('id').where('username_key', '=', usernameKey).executeTakeFirst()
  return user?.id
}

export async function updatePassword(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', id).execute()
}

export async function insertUser(tx: Transaction, user: UsersTable): Promise<void> {
  await tx.insertInto('users').values(user).execute()
}

export async function hasUsers(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}
