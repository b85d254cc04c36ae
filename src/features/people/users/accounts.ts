import { overridesDirection } from '../../../lib/text-direction.ts'
import type { OrganizationRole } from '../../../contract/users.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { PasswordOrigin, UsersTable } from '../../../platform/db/people-tables.ts'
import { hashOf, isHashOf } from '../../../auth/passwords/hashing.ts'
import {
  checkNewPassword,
  type NewPassword,
  type NamedPasswordHolder,
} from '../../../auth/passwords/password-policy.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import {
  type Credentials,
  findCredentials,
  findUser,
  findUserIdByName,
  findCredentialsByEmail,
  type UserRow,
} from './store.ts'

export interface NewAccount extends AccountFields {
  password: string
  /** The minimum length of passwords that the organization sets. */
  organizationMinimum?: number | null
}

interface AccountFields {
  username: string
  email?: string | null | undefined
  firstname?: string | null | undefined
  lastname?: string | null | undefined
  organization?: string | undefined
  role?: OrganizationRole | undefined
  locale?: string | undefined
  /** Who chose the password; the user unless another person is named. */
  passwordOrigin?: PasswordOrigin
}

/** The stored hash of an account without a password. No password has this hash. */
export const noPassword = ''

export const hasNoPassword = ({ password_hash }: Pick<Credentials, 'password_hash'>): boolean =>
  password_hash === noPassword

const reserved = new Set(['me'])

/**
 * Creates the row of a new account and hashes its password. Hashing is slow on purpose, so do not call this
 * in a transaction. The organization vouches for the address; the user has not verified it.
 * @throws INVALID_PARAMETER if a name, the password or the address is not acceptable; COMMON_PASSWORD,
 *   PASSWORD_LIKE_NAME
 */
export async function newAccount(
  { config, clock, newId }: Pick<Context, 'config' | 'clock' | 'newId'>,
  account: NewAccount,
  id = newId(),
): Promise<UsersTable> {
  const row = accountOf(account, undefined, id, clock.now())
  const password_hash = await hashPassword(config, {
    password: account.password,
    role: row.organization_role,
    organizationMinimum: account.organizationMinimum,
    owner: account,
  })
  return { ...row, password_hash }
}

/**
 * Creates the row of a new account from a hashed password, or without a password.
 * @throws INVALID_PARAMETER if a name or the address is not acceptable
 */
export function accountOf(
  account: AccountFields,
  passwordHash: string | undefined,
  id: string,
  now: number,
): UsersTable {
  const { email, organization, role, locale, passwordOrigin = 'own' } = account
  return {
    id,
    ...identityOf(account),
    password_hash: passwordHash ?? noPassword,
    password_origin: passwordOrigin,
    email_verified: 0,
    email_vouched: email ? 1 : 0,
    organization_id: organization ?? null,
    organization_role: organization ? (role ?? 'user') : null,
    locale: locale ?? 'en',
    bio: null,
    is_private: 0,
    picture_id: null,
    cover_picture_id: null,
    created_at: now,
    last_activity_at: 0,
    is_test_student: 0,
    deletion_at: null,
    removed_by: null,
    external_id: null,
    max_storage: null,
    rate_limit: null,
  }
}

interface Names {
  username: string
  firstname?: string | null | undefined
  lastname?: string | null | undefined
}

/** The columns that identify an account: its names, its address, and the keys that follow from them. */
export type Identity = Pick<
  UsersTable,
  'username' | 'username_key' | 'email' | 'email_key' | 'firstname' | 'lastname' | 'name_key' | 'search_key'
>

/** @throws INVALID_PARAMETER if a name or the address is not acceptable */
export function identityOf({
  username,
  email,
  firstname,
  lastname,
}: Names & { email?: string | null | undefined }): Identity {
  const usernameKey = sortKey(username)
  checkLength('username', username, 1, 30)
  if (usernameKey === '' || /\s/.test(username)) refuse('username', 'must be a name without spaces')
  // Otherwise a user who signs in with an address could reach the account of another user that has it as its
  // username.
  if (usernameKey.includes('@') && usernameKey !== sortKey(email ?? '')) {
    refuse('username', 'may be an e-mail address only if it is the address of the account')
  }
  if (reserved.has(usernameKey)) refuse('username', `may not be "${username}", which means the caller`)
  if (isId(usernameKey)) refuse('username', 'may not look like an id')
  checkLength('firstname', firstname ?? '', 0, 60)
  checkLength('lastname', lastname ?? '', 0, 60)
  for (const [name, text] of Object.entries({ username, firstname, lastname })) {
    if (text && overridesDirection(text)) refuse(name, 'contains U+202D or U+202E, which reverse the text')
  }
  if (email !== undefined && email !== null && !isEmailAddress(email))
    refuse('email', 'is not an e-mail address')
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

/** Sort key of a user: last name, first name, username. */
const nameKey = ({ username, firstname, lastname }: Names): string =>
  sortKey([lastname, firstname, username].filter(Boolean).join(' '))

/** The text that a search for users matches. */
const searchedNames = ({ email, ...names }: Names & { email?: string | null | undefined }): string =>
  [names.firstname, names.lastname, names.username, email]
    .flatMap((text) => (text ? [sortKey(text)] : []))
    .join('\n')

/** Whether a text could be an address. RFC 5321, section 4.5.3.1.3, limits the length. */
export const isEmailAddress = (text: string): boolean => text.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(text)

/** The key by which addresses are compared. Unlike in names, diacritics distinguish addresses. */
export const emailKey = (email: string): string => email.trim().normalize('NFC').toLowerCase()

/** Returns what the password of a user must fit: the minimum length of the role and the organization, and the names. */
export const passwordHolderOf = (user: UserRow): NamedPasswordHolder => ({
  role: user.organization_role,
  organizationMinimum: user.min_password_length,
  owner: user,
})

/**
 * Hashes a password that an account is to have. This is slow on purpose, so do not call it in a transaction.
 * @throws INVALID_PARAMETER if the password is too short or too long; COMMON_PASSWORD, PASSWORD_LIKE_NAME
 */
export async function hashPassword(config: Context['config'], password: NewPassword): Promise<string> {
  await checkNewPassword(config, password)
  return hashOf(password.password)
}

/** Hash of an unknown password. Checking it takes as long as checking the password of an existing account. */
const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$LkBUDrwR2p1GMuZG+h02YA$V+Q+f3I0Rw4QLhPuMX4ka90NeIKj6EgBZchVX1orqA8'

/**
 * Compares a password with a stored hash. This is slow on purpose, and equally slow without a hash.
 * @param stored undefined if the account does not exist
 */
async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isKnown = stored?.startsWith('$argon2') === true && password.length <= 1000
  const isRight = await isHashOf(isKnown ? stored : dummyHash, password.slice(0, 1000))
  return isKnown && isRight
}

/**
 * Returns the id of the user with an id or a username. No username looks like an id.
 * @throws USER_NOT_FOUND
 */
export async function loadUserId(queries: Queries, idOrUsername: string): Promise<string> {
  const id = isId(idOrUsername)
    ? (await findUser(queries, { id: idOrUsername }))?.id
    : await findUserIdByName(queries, sortKey(idOrUsername))
  if (!id) fail('USER_NOT_FOUND')
  return id
}

function checkLength(param: string, text: string, minimum: number, maximum: number): void {
  if (text.length < minimum || text.length > maximum)
    refuse(param, `must have ${minimum} to ${maximum} characters`)
}

function refuse(param: string, problem: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${problem}.` })
}

/**
 * The accounts that a username or an address may mean. The caller checks `tries` passwords, or sends `tries`
 * mails, however many accounts exist.
 */
export interface Candidates {
  readonly accounts: readonly Credentials[]
  readonly tries: number
}

/**
 * Finds the accounts that a username or an address may mean. An address may belong to two accounts. The same
 * queries run for known and unknown addresses, so that the time reveals nothing.
 */
export async function findCandidates(queries: Queries, text: string): Promise<Candidates> {
  const byName = await findCredentials(queries, { usernameKey: sortKey(text) })
  if (!text.includes('@')) return { accounts: byName ? [byName] : [], tries: 1 }
  const tries = 2
  const { owner, vouched } = await findCredentialsByEmail(queries, emailKey(text), tries)
  if (owner) return { accounts: [owner], tries }
  // A username wins over an equal address of another account.
  const others = vouched.filter(({ id }) => id !== byName?.id)
  return { accounts: [...(byName ? [byName] : []), ...others].slice(0, tries), tries }
}

/**
 * Returns the account that has the password, among the accounts that are meant. Checks every account, and a
 * dummy hash for each missing one, so that the time reveals nothing.
 */
export async function findByPassword(
  { accounts, tries }: Candidates,
  password: string,
): Promise<Credentials | undefined> {
  const right: Credentials[] = []
  for (let n = 0; n < tries; n++) {
    const account = accounts[n]
    if ((await isPassword(account?.password_hash, password)) && account) right.push(account)
  }
  return right[0]
}
