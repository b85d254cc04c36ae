import type { UsersTable } from '../../platform/db/people-tables.ts'
import { compiled, type Params } from '../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import type {
  PasswordResetsTable,
  SessionsTable,
  SignInLinksTable,
} from '../../platform/db/sign-in-tables.ts'
import { allScopes } from '../../contract/scopes.ts'
import type { SessionActor } from '../../actor.ts'
import { hasNoPassword } from '../../features/people/users/accounts.ts'
import type { PasswordHolder } from '../passwords/password-policy.ts'
import { endOf } from '../tokens/lifetime.ts'
import { missingFactor, requiresPasskey, ruleColumns } from './organization-rules.ts'

export async function insertSession(tx: Transaction, session: SessionsTable): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

const sessionByHash = compiled((db, p: Params<{ hash: string; now: number }>) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .where('sessions.hash', '=', p('hash'))
    .where('sessions.expires_at', '>', p('now'))
    .where('users.deletion_at', 'is', null)
    .select((eb) => [
      eb
        .exists(eb.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id'))
        .as('has_passkey'),
      'sessions.user_id',
      'sessions.created_at',
      'sessions.created_by',
      'sessions.expires_at',
      'sessions.by_reset_password',
      'sessions.by_pin',
      'organizations.allows_picture_sign_in',
      'users.organization_id',
      'users.organization_role',
      'users.locale',
      'users.rate_limit',
      'users.password_hash',
      'second_factors.confirmed_at',
      ...ruleColumns,
    ]),
)

/**
 * Finds a session that has not ended, of an account that has not been removed. `isByLink`, `isDelegated` and `missingFactor` are
 * those of `SessionUser`.
 */
export async function findSession(queries: Queries, session: { hash: string; now: number }) {
  const [row] = await sessionByHash(queries, session)
  if (!row || endOf(row, row.max_session_ms) <= session.now) return undefined
  const isByPin = row.by_pin === 1
  // The rights of a student are all that a PIN may open.
  if (isByPin && (row.allows_picture_sign_in !== 1 || row.organization_role !== 'user')) return undefined
  const { user_id, organization_id, organization_role, locale, rate_limit } = row
  const isByLink = row.created_by !== null
  const member = {
    role: organization_role,
    hasPassword: !hasNoPassword(row),
    hasAuthenticatorApp: row.confirmed_at !== null,
    hasPasskey: Boolean(row.has_passkey),
  }
  return {
    user_id,
    organization_id,
    organization_role,
    locale,
    rate_limit,
    isByLink,
    isByPin,
    isDelegated: isByLink || isByPin || row.by_reset_password === 1,
    missingFactor: isByLink ? undefined : missingFactor(row, member),
  }
}

const scopesOfOwner = new Set(allScopes)
/** The scopes that an administrator can give to a token or session of another account. */
const scopesOfDelegate = new Set(allScopes.filter((scope) => !scope.startsWith('edu.admin')))

/** Finds the actor of a session that has not expired, of an account that has not been removed. */
export async function findSessionActor(
  queries: Queries,
  session: { hash: string; now: number },
): Promise<SessionActor | undefined> {
  const found = await findSession(queries, session)
  if (!found) return undefined
  const { isDelegated, missingFactor } = found
  return {
    id: found.user_id,
    organization: found.organization_id ?? undefined,
    organizationRole: found.organization_role ?? undefined,
    locale: found.locale,
    rateLimit: found.rate_limit ?? undefined,
    access: {
      kind: 'session',
      hash: session.hash,
      app: undefined,
      isDelegated,
      missingFactor,
      scopes: isDelegated ? scopesOfDelegate : scopesOfOwner,
    },
  }
}

/**
 * Whether the organization requires this user to sign in with a passkey. Codes of an authenticator app are then refused as
 * soon as the user has a passkey.
 */
export async function mustSignInByPasskey(queries: Queries, user: string): Promise<boolean> {
  const row = await queries
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('users.id', '=', user)
    .select(['users.organization_role', 'users.password_hash', ...ruleColumns])
    .executeTakeFirst()
  return (
    row !== undefined &&
    requiresPasskey(row, { role: row.organization_role, hasPassword: !hasNoPassword(row) })
  )
}

/** Returns the user whose session it was. */
export async function deleteSession(tx: Transaction, hash: string): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('sessions')
    .where('hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst()
  return deleted?.user_id
}

/** Returns the sessions of a user that have not ended, newest first. */
export async function listSessions(
  queries: Queries,
  by: { user: string; now: number },
): Promise<SessionsTable[]> {
  const rows = await queries
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .selectAll('sessions')
    .select('organizations.max_session_ms')
    .where('user_id', '=', by.user)
    .where('expires_at', '>', by.now)
    .orderBy('sessions.created_at', 'desc')
    .orderBy('hash')
    .execute()
  return rows
    .map(({ max_session_ms, ...row }) => ({ ...row, expires_at: endOf(row, max_session_ms) }))
    .filter(({ expires_at }) => expires_at > by.now)
}

/** Deletes all sessions of a user except one. Returns the number of deleted sessions. */
export async function deleteOtherSessions(
  tx: Transaction,
  of: { user: string; except: string },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', of.user)
    .where('hash', '!=', of.except)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes the sessions of a user except the `keep` newest. Returns whether it deleted any. */
export async function deleteOldSessions(
  tx: Transaction,
  of: { user: string; keep: number },
): Promise<boolean> {
  const newest = tx
    .selectFrom('sessions')
    .select('hash')
    .where('user_id', '=', of.user)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(of.keep)
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', of.user)
    .where('hash', 'not in', newest)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Deletes the sessions, pending sign-ins and password resets of all members of an organization.
 * @returns the ids of the members who had sessions
 */
export async function deleteSignInsOfMembers(tx: Transaction, organization: string): Promise<Set<string>> {
  const members = tx.selectFrom('users').select('id').where('organization_id', '=', organization)
  for (const table of ['pending_sign_ins', 'password_resets'] as const)
    await tx.deleteFrom(table).where('user_id', 'in', members).execute()
  const ended = await tx.deleteFrom('sessions').where('user_id', 'in', members).returning('user_id').execute()
  return new Set(ended.map(({ user_id }) => user_id))
}

/** Finds when a session began, in milliseconds since 1970. */
export async function findSessionStart(queries: Queries, hash: string): Promise<number | undefined> {
  const session = await queries
    .selectFrom('sessions')
    .select('created_at')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return session?.created_at
}

/** Deletes the sessions of these users that a PIN opened. */
export async function deletePinSessions(tx: Transaction, users: readonly string[]): Promise<void> {
  if (users.length === 0) return
  await tx.deleteFrom('sessions').where('user_id', 'in', users).where('by_pin', '=', 1).execute()
}

export async function deleteSessionsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', user).execute()
}

/**
 * Deletes the sessions that sign-in links opened: the links that this user created, and the links for this user.
 * @returns the ids of the users of the links that this user created
 */
export async function deleteSessionsByLinks(tx: Transaction, user: string): Promise<string[]> {
  const byUser = await tx.deleteFrom('sessions').where('created_by', '=', user).returning('user_id').execute()
  await tx.deleteFrom('sessions').where('user_id', '=', user).where('created_by', 'is not', null).execute()
  return byUser.map(({ user_id }) => user_id)
}

export async function insertSignInLink(tx: Transaction, link: SignInLinksTable): Promise<void> {
  await tx.insertInto('sign_in_links').values(link).execute()
}

/**
 * Finds a sign-in link that has not expired, with the organization of its user. Returns undefined if the account of its
 * user or creator has been removed.
 */
export async function findSignInLink(
  queries: Queries,
  link: { hash: string; now: number },
): Promise<(SignInLinksTable & { organization_id: string | null }) | undefined> {
  return queries
    .selectFrom('sign_in_links')
    .innerJoin('users', 'users.id', 'sign_in_links.user_id')
    .innerJoin('users as creators', 'creators.id', 'sign_in_links.created_by')
    .where('sign_in_links.hash', '=', link.hash)
    .where('sign_in_links.expires_at', '>', link.now)
    .where('users.deletion_at', 'is', null)
    .where('creators.deletion_at', 'is', null)
    .selectAll('sign_in_links')
    .select('users.organization_id')
    .executeTakeFirst()
}

/** Returns whether the link existed. */
export async function deleteSignInLink(tx: Transaction, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sign_in_links').where('hash', '=', hash).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes the links that this user created for others, and those that others created for this user. */
export async function deleteSignInLinksOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('sign_in_links').where('created_by', '=', user).execute()
  await tx.deleteFrom('sign_in_links').where('user_id', '=', user).execute()
}

export async function insertPasswordReset(tx: Transaction, reset: PasswordResetsTable): Promise<void> {
  await tx.insertInto('password_resets').values(reset).execute()
}

/** The account of a password reset. */
interface ResettableAccount
  extends Pick<UsersTable, 'username' | 'email' | 'firstname' | 'lastname'>,
    PasswordHolder {
  readonly user: string
  readonly organization: string | null
}

/** Finds the account of a password reset that has not expired. */
export async function findPasswordReset(
  queries: Queries,
  reset: { hash: string; now: number },
): Promise<ResettableAccount | undefined> {
  return queries
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('hash', '=', reset.hash)
    .where('expires_at', '>', reset.now)
    .where('users.deletion_at', 'is', null)
    .select(['users.id as user', 'users.organization_id as organization', 'users.organization_role as role'])
    .select('organizations.min_password_length as organizationMinimum')
    .select(['username', 'email', 'firstname', 'lastname'])
    .executeTakeFirst()
}

export async function deletePasswordResetsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', user).execute()
}

/** Deletes expired sessions, sign-in links, password resets and pending sign-ins. */
export async function deleteExpiredSignIns(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute()
}
