import type { OrganizationRole } from '../../../contract/users.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { ClassesTable } from '../../../platform/db/tables.ts'
import { noPassword } from '../users/accounts.ts'

/** The members of an organization who are not removed. */
const members = (queries: Queries, organization: string) =>
  queries
    .selectFrom('users')
    .where('users.organization_id', '=', organization)
    .where('users.deletion_at', 'is', null)

/** Selects the administrators and teachers with a password who have no passkey. */
export const withoutPasskey = (queries: Queries, organization: string) =>
  members(queries, organization)
    .where('users.organization_role', '!=', 'user')
    .where('users.password_hash', '!=', noPassword)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('passkeys').whereRef('passkeys.user_id', '=', 'users.id').select('passkeys.id'))),
    )

/** Selects those of them who have no authenticator app either. */
export const withoutSecondFactor = (queries: Queries, organization: string) =>
  withoutPasskey(queries, organization).where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('second_factors')
          .whereRef('second_factors.user_id', '=', 'users.id')
          .where('second_factors.confirmed_at', 'is not', null)
          .select('second_factors.user_id'),
      ),
    ),
  )

/** Selects the members who are not linked to a provider of the organization. */
export const withoutProvider = (queries: Queries, organization: string) =>
  members(queries, organization).where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('provider_accounts')
          .innerJoin('sign_in_providers', 'sign_in_providers.name', 'provider_accounts.provider')
          .whereRef('provider_accounts.user_id', '=', 'users.id')
          .where('sign_in_providers.organization_id', '=', organization)
          .select('provider_accounts.subject'),
      ),
    ),
  )

/** Selects the members with a session that is open and began at or before a time, in milliseconds since 1970. */
export const withOldSession = (queries: Queries, organization: string, at: { time: number; now: number }) =>
  members(queries, organization).where(({ exists, selectFrom }) =>
    exists(
      selectFrom('sessions')
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('sessions.created_at', '<=', at.time)
        .where('sessions.expires_at', '>', at.now)
        .select('sessions.hash'),
    ),
  )

/** Selects the members with a token or authorization that works and was created at or before a time. */
export const withOldToken = (queries: Queries, organization: string, at: { time: number; now: number }) =>
  members(queries, organization).where(({ exists, selectFrom, or }) =>
    or([
      exists(
        selectFrom('access_tokens')
          .whereRef('access_tokens.user_id', '=', 'users.id')
          .where('access_tokens.created_at', '<=', at.time)
          .where((eb) =>
            eb.or([eb('access_tokens.expires_at', 'is', null), eb('access_tokens.expires_at', '>', at.now)]),
          )
          .select('access_tokens.id'),
      ),
      exists(
        selectFrom('authorizations')
          .whereRef('authorizations.user_id', '=', 'users.id')
          .where('authorizations.created_at', '<=', at.time)
          .where('authorizations.expires_at', '>', at.now)
          .select('authorizations.id'),
      ),
    ]),
  )

type Selection = ReturnType<typeof members>

/** Counts the selected members. */
export async function countOf(selection: Selection): Promise<number> {
  const row = await selection.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}

/** Whether a member is among the selected ones. */
export async function includes(selection: Selection, user: string): Promise<boolean> {
  const row = await selection.where('users.id', '=', user).select('users.id').executeTakeFirst()
  return row !== undefined
}

/** Counts the classes of an organization that are not archived. */
export async function countActiveClasses(queries: Queries, organization: string): Promise<number> {
  const row = await queries
    .selectFrom('classes')
    .where('organization_id', '=', organization)
    .where('state', '!=', 'archived')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Counts the members of each role, without test students. Roles without members are left out. */
export async function countMembersByRole(
  queries: Queries,
  organization: string,
): Promise<Partial<Record<OrganizationRole, number>>> {
  const rows = await members(queries, organization)
    .where('users.is_test_student', '=', 0)
    .groupBy('users.organization_role')
    .select((eb) => ['users.organization_role', eb.fn.countAll<number>().as('count')])
    .execute()
  return Object.fromEntries(rows.map(({ organization_role, count }) => [organization_role, count]))
}

/** Counts the classes of an organization in each state. States without classes are left out. */
export async function countClassesByState(
  queries: Queries,
  organization: string,
): Promise<Partial<Record<ClassesTable['state'], number>>> {
  const rows = await queries
    .selectFrom('classes')
    .where('organization_id', '=', organization)
    .groupBy('state')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
