import type { Queries, Transaction } from '../../db/database.ts'
import type { PasswordResetsTable, SessionsTable, SignInLinksTable } from '../../db/sign-in-tables.ts'

export async function insertSession(tx: Transaction, session: SessionsTable): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

/** A session that has not run out, of an account that was not removed. */
export async function findSession(
  queries: Queries,
  session: { hash: string; now: number },
): Promise<SessionsTable | undefined> {
  return queries
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.hash', '=', session.hash)
    .where('sessions.expires_at', '>', session.now)
    .where('users.deletion_at', 'is', null)
    .selectAll('sessions')
    .executeTakeFirst()
}

export async function deleteSession(tx: Transaction, hash: string): Promise<void> {
  await tx.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** Where somebody is signed in, the newest session first. */
export async function listSessions(queries: Queries, by: { user: string; now: number }): Promise<SessionsTable[]> {
  return queries
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', by.user)
    .where('expires_at', '>', by.now)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .execute()
}

/** Ends all sessions of somebody but this one; how many. */
export async function deleteOtherSessions(tx: Transaction, of: { user: string; but: string }): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', of.user)
    .where('hash', '!=', of.but)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends the sessions of somebody but so many, the newest. */
export async function deleteOldSessions(tx: Transaction, of: { user: string; but: number }): Promise<void> {
  const newest = tx
    .selectFrom('sessions')
    .select('hash')
    .where('user_id', '=', of.user)
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .limit(of.but)
  await tx.deleteFrom('sessions').where('user_id', '=', of.user).where('hash', 'not in', newest).execute()
}

export async function deleteSessionsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', user).execute()
}

/** Ends the sessions that came of links: of those that this user has made, and of those that others have made for this user. */
export async function deleteSessionsByLinks(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('sessions').where('created_by', '=', user).execute()
  await tx.deleteFrom('sessions').where('user_id', '=', user).where('created_by', 'is not', null).execute()
}

export async function insertSignInLink(tx: Transaction, link: SignInLinksTable): Promise<void> {
  await tx.insertInto('sign_in_links').values(link).execute()
}

/** A link that has not run out, and of which organization it is. It ends with the account it is for, and its maker's. */
export async function findSignInLink(
  queries: Queries,
  link: { hash: string; now: number },
): Promise<(SignInLinksTable & { organization_id: string | null }) | undefined> {
  return queries
    .selectFrom('sign_in_links')
    .innerJoin('users', 'users.id', 'sign_in_links.user_id')
    .innerJoin('users as makers', 'makers.id', 'sign_in_links.created_by')
    .where('sign_in_links.hash', '=', link.hash)
    .where('sign_in_links.expires_at', '>', link.now)
    .where('users.deletion_at', 'is', null)
    .where('makers.deletion_at', 'is', null)
    .selectAll('sign_in_links')
    .select('users.organization_id')
    .executeTakeFirst()
}

/** Whether it was there still. */
export async function deleteSignInLink(tx: Transaction, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sign_in_links').where('hash', '=', hash).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the links that this user has made for others, and those that others have made for this user. */
export async function deleteSignInLinksOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('sign_in_links').where('created_by', '=', user).execute()
  await tx.deleteFrom('sign_in_links').where('user_id', '=', user).execute()
}

export async function insertPasswordReset(tx: Transaction, reset: PasswordResetsTable): Promise<void> {
  await tx.insertInto('password_resets').values(reset).execute()
}

/** The account whose password may be chosen anew with this, while that holds. */
export async function findPasswordReset(
  queries: Queries,
  reset: { hash: string; now: number },
): Promise<{ user: string; organization: string | null } | undefined> {
  return queries
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .where('hash', '=', reset.hash)
    .where('expires_at', '>', reset.now)
    .where('users.deletion_at', 'is', null)
    .select(['users.id as user', 'users.organization_id as organization'])
    .executeTakeFirst()
}

export async function deletePasswordResetsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', user).execute()
}

/** Deletes the mails to somebody that wait or were sent lately: their jobs name the account. */
export async function deleteMailJobsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('jobs').where('kind', 'like', 'send-%').where('payload', 'like', `%"${user}"%`).execute()
}

/** Forgets the sessions and links that have run out, and who has begun to sign in and not gone on. */
export async function deleteSpentSignIns(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute()
}
