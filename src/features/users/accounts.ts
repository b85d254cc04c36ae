import type { OrganizationRole } from '../../contract/users.ts'
import type { Queries } from '../../db/database.ts'
import type { UsersTable } from '../../db/tables.ts'
import { hashOf, isHashOf } from '../../engines/passwords.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import { sortKey } from '../../lib/sort-key.ts'
import { type Credentials, findCredentials, findUser, findUserIdByName, findCredentialsByEmail } from './store.ts'

export interface NewAccount extends AboutAccount {
  password: string
}

interface AboutAccount {
  username: string
  email?: string | null | undefined
  firstname?: string | null | undefined
  lastname?: string | null | undefined
  organization?: string | undefined
  role?: OrganizationRole | undefined
  locale?: string | undefined
}

/** What stands for the password of an account that has none yet: no password is hashed to it. */
const noPassword = ''

export const hasNoPassword = ({ password_hash }: Pick<Credentials, 'password_hash'>): boolean =>
  password_hash === noPassword

const reserved = new Set(['me'])

/**
 * The row of a new account, with its password hashed; slow on purpose, so not for a transaction.
 * Its address is vouched for by who makes the account; the person has not verified it.
 * @throws INVALID_PARAMETER when a name, the password or the address is not acceptable
 */
export async function newAccount(account: NewAccount, id: string, now: number): Promise<UsersTable> {
  return { ...accountOf(account, undefined, id, now), password_hash: await hashPassword(account.password) }
}

/**
 * The same of an account whose password was hashed before, or that has none.
 * @throws INVALID_PARAMETER when a name or the address is not acceptable
 */
export function accountOf(
  account: AboutAccount,
  passwordHash: string | undefined,
  id: string,
  now: number,
): UsersTable {
  const { email, organization, role, locale } = account
  return {
    id,
    ...identityOf(account),
    password_hash: passwordHash ?? noPassword,
    email_verified: 0,
    email_vouched: email ? 1 : 0,
    organization_id: organization ?? null,
    organization_role: organization ? (role ?? 'user') : null,
    locale: locale ?? 'en',
    created_at: now,
    last_activity_at: 0,
    is_test_student: 0,
    deletion_at: null,
    removed_by: null,
    external_id: null,
  }
}

interface Names {
  username: string
  firstname?: string | null | undefined
  lastname?: string | null | undefined
}

/** By what an account is known: the columns of its names and address, and those that follow from them. */
export type Identity = Pick<
  UsersTable,
  'username' | 'username_key' | 'email' | 'email_key' | 'firstname' | 'lastname' | 'name_key' | 'search_key'
>

/** @throws INVALID_PARAMETER when a name or the address is not acceptable */
export function identityOf({
  username,
  email,
  firstname,
  lastname,
}: Names & { email?: string | null | undefined }): Identity {
  const usernameKey = sortKey(username)
  checkLength('username', username, 1, 30)
  if (usernameKey === '' || /\s/.test(username)) refuse('username', 'must be a name without spaces')
  // Who signs in by an address must not meet an account of somebody else that is called so.
  if (usernameKey.includes('@') && usernameKey !== sortKey(email ?? '')) {
    refuse('username', 'may look like an address only where it is the one of the account')
  }
  if (reserved.has(usernameKey)) refuse('username', `may not be "${username}", which means the caller`)
  if (isId(usernameKey)) refuse('username', 'may not look like an id')
  checkLength('firstname', firstname ?? '', 0, 60)
  checkLength('lastname', lastname ?? '', 0, 60)
  if (email !== undefined && email !== null && !isEmailAddress(email)) refuse('email', 'is not an e-mail address')
  return {
    username,
    username_key: usernameKey,
    email: email || null,
    email_key: email ? emailKey(email) : null,
    firstname: firstname || null,
    lastname: lastname || null,
    name_key: nameKey({ username, firstname, lastname }),
    search_key: searchedNames({ username, firstname, lastname, email }),
  }
}

/** What people are sorted by: last name, first name, username. */
const nameKey = ({ username, firstname, lastname }: Names): string =>
  sortKey([lastname, firstname, username].filter(Boolean).join(' '))

/** What a search for people looks in. */
const searchedNames = ({ email, ...names }: Names & { email?: string | null | undefined }): string =>
  [names.firstname, names.lastname, names.username, email].flatMap((text) => (text ? [sortKey(text)] : [])).join('\n')

/** Whether a text could be an address; RFC 5321, section 4.5.3.1.3, lets none be longer. */
export const isEmailAddress = (text: string): boolean => text.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(text)

/** What addresses are compared by. A diacritic makes another one, unlike in names. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()

/**
 * What is stored of a password; slow on purpose, so not for a transaction.
 * @throws INVALID_PARAMETER when it is too short
 */
export async function hashPassword(password: string): Promise<string> {
  checkLength('password', password, 6, 1000)
  return hashOf(password)
}

/** Of a password that nobody knows: what costs to check the password of an account that there is not. */
const nobodysHash = '$argon2id$v=19$m=19456,t=2,p=1$LkBUDrwR2p1GMuZG+h02YA$V+Q+f3I0Rw4QLhPuMX4ka90NeIKj6EgBZchVX1orqA8'

/**
 * Whether it is the password of which this is stored; slow on purpose, and as slow where there is nothing to compare with.
 * @param stored undefined where there is no such account
 */
async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isKnown = stored?.startsWith('$argon2') === true && password.length <= 1000
  const isRight = await isHashOf(isKnown ? stored : nobodysHash, password.slice(0, 1000))
  return isKnown && isRight
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

/** Which accounts somebody may mean; as many passwords are tried, or mails sent, as `tries` says, however many there are. */
export interface Meant {
  readonly accounts: readonly Credentials[]
  readonly tries: number
}

/**
 * Who is meant by a username or an address; what looks like an address is one, where it is known, and can be that of two
 * accounts. As much is asked for whether it is or not, so that the time it takes does not tell.
 */
export async function findMeant(queries: Queries, text: string): Promise<Meant> {
  const byName = await findCredentials(queries, { usernameKey: sortKey(text) })
  if (!text.includes('@')) return { accounts: byName ? [byName] : [], tries: 1 }
  const tries = 2
  const { owner, vouched } = await findCredentialsByEmail(queries, emailKey(text), tries)
  if (owner) return { accounts: [owner], tries }
  // Who is called so is found by that, whoever else has the address.
  const others = vouched.filter(({ id }) => id !== byName?.id)
  return { accounts: [...(byName ? [byName] : []), ...others].slice(0, tries), tries }
}

/**
 * The account of which it is the password, among those that may be meant. All are tried, and somebody's that nobody is for those
 * that there are not.
 */
export async function findByPassword({ accounts, tries }: Meant, password: string): Promise<Credentials | undefined> {
  const right: Credentials[] = []
  for (let n = 0; n < tries; n++) {
    const account = accounts[n]
    if ((await isPassword(account?.password_hash, password)) && account) right.push(account)
  }
  return right[0]
}
