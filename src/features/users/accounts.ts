import { hash } from '@node-rs/argon2'
import type { OrganizationRole } from '../../contract/users.ts'
import type { Queries } from '../../db/database.ts'
import type { UsersTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import { sortKey } from '../../lib/sort-key.ts'
import { findUser, findUserIdByName } from './store.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export interface NewAccount {
  username: string
  password: string
  email?: string | undefined
  firstname?: string | undefined
  lastname?: string | undefined
  organization?: string | undefined
  role?: OrganizationRole | undefined
  locale?: string | undefined
}

const reserved = new Set(['me'])

/**
 * The row of a new account, with its password hashed; slow on purpose, so not for a transaction.
 * An address given by an administrator counts as the person's.
 * @throws INVALID_PARAMETER when a name, the password or the address is not acceptable
 */
export async function newAccount(account: NewAccount, id: string, now: number): Promise<UsersTable> {
  const { username, password, email, firstname, lastname, organization, role, locale } = account
  const usernameKey = sortKey(username)
  checkLength('username', username, 1, 30)
  if (usernameKey === '' || /\s/.test(username)) refuse('username', 'must be a name without spaces')
  if (reserved.has(usernameKey)) refuse('username', `may not be "${username}", which means the caller`)
  if (isId(usernameKey)) refuse('username', 'may not look like an id')
  checkLength('password', password, 6, 1000)
  if (firstname !== undefined) checkLength('firstname', firstname, 0, 60)
  if (lastname !== undefined) checkLength('lastname', lastname, 0, 60)
  if (email !== undefined && !/^[^@\s]+@[^@\s]+$/.test(email)) refuse('email', 'is not an e-mail address')
  return {
    id,
    username,
    username_key: usernameKey,
    password_hash: await hashPassword(password),
    email: email ?? null,
    email_verified: email === undefined ? 0 : 1,
    firstname: firstname || null,
    lastname: lastname || null,
    organization_id: organization ?? null,
    organization_role: organization ? (role ?? 'user') : null,
    locale: locale ?? 'en',
    created_at: now,
  }
}

/**
 * What is stored of a password; slow on purpose, so not for a transaction.
 * @throws INVALID_PARAMETER when it is too short
 */
export async function hashPassword(password: string): Promise<string> {
  checkLength('password', password, 6, 1000)
  return hash(password, argon2id)
}

/** The id of the user that is meant by an id or a username; no username looks like an id. @throws USER_NOT_FOUND */
export async function loadUserId(queries: Queries, idOrUsername: string): Promise<string> {
  const id = isId(idOrUsername)
    ? (await findUser(queries, { id: idOrUsername }))?.id
    : await findUserIdByName(queries, sortKey(idOrUsername))
  if (!id) fail('USER_NOT_FOUND')
  return id
}

function checkLength(param: string, text: string, least: number, most: number): void {
  if (text.length < least || text.length > most) refuse(param, `must have ${least} to ${most} characters`)
}

function refuse(param: string, why: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${why}.` })
}
