import type { OrganizationRole } from '../../../contract/users.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { OrganizationsTable } from '../../../platform/db/people-tables.ts'
import type { LicenseFacts } from './license.ts'

/** The row of a new organization, without limits and without public access. */
export const newOrganization = (id: string, name: string, now: number): OrganizationsTable => ({
  id,
  name,
  max_classes: null,
  max_seats: null,
  license_expires_at: null,
  allows_public_scores: 0,
  allows_sign_up_by_code: 0,
  retention_days: 30,
  allows_teachers_to_set_passwords: 1,
  allows_picture_sign_in: 0,
  max_storage: null,
  requires_second_factor: 0,
  requires_passkey: 0,
  requires_provider: 0,
  max_session_ms: null,
  max_token_ms: null,
  min_password_length: null,
  invitation_days: null,
  created_at: now,
})

export async function insertOrganization(tx: Transaction, organization: OrganizationsTable): Promise<void> {
  await tx.insertInto('organizations').values(organization).execute()
}

export async function findOrganization(
  queries: Queries,
  id: string,
): Promise<OrganizationsTable | undefined> {
  return queries.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
}

const licenseOf = compiled((db, p: Params<{ id: string }>) =>
  db.selectFrom('organizations').where('id', '=', p('id')).select(['id', 'license_expires_at']),
)

/** Returns the licence of an organization, which must exist. */
export async function loadLicense(queries: Queries, id: string): Promise<LicenseFacts> {
  const [license] = await licenseOf(queries, { id })
  return license ?? { id, license_expires_at: null }
}

/** Whether a user can sign in only through a provider of the organization. */
export async function requiresProvider(queries: Queries, user: string): Promise<boolean> {
  const organization = await queries
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select('organizations.requires_provider')
    .where('users.id', '=', user)
    .executeTakeFirst()
  return organization?.requires_provider === 1
}

export type OrganizationChange = Partial<Omit<OrganizationsTable, 'id'>>

/** Updates the given columns. Returns whether the organization exists. */
export async function updateOrganization(
  tx: Transaction,
  id: string,
  change: OrganizationChange,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('organizations')
    .set(change)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updateRole(tx: Transaction, user: string, role: OrganizationRole): Promise<void> {
  await tx.updateTable('users').set({ organization_role: role }).where('id', '=', user).execute()
}

/** Whether a member of the organization other than `except` has one of these roles. */
export async function hasMemberOfRole(
  queries: Queries,
  organization: string,
  roles: readonly OrganizationRole[],
  { except }: { except: string },
): Promise<boolean> {
  const other = await queries
    .selectFrom('users')
    .where('organization_id', '=', organization)
    .where('organization_role', 'in', roles)
    .where('id', '!=', except)
    .where('deletion_at', 'is', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Counts the members who take a seat of the organization. */
export async function countSeats(queries: Queries, organization: string): Promise<number> {
  const { count } = await queries
    .selectFrom('users')
    .where('organization_id', '=', organization)
    .where('deletion_at', 'is', null)
    .where('is_test_student', '=', 0)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Lists the administrators of an organization other than `except`, the oldest account first. */
export async function listAdministrators(
  queries: Queries,
  organization: string,
  { except = '' }: { except?: string } = {},
): Promise<{ id: string; locale: string }[]> {
  return queries
    .selectFrom('users')
    .where('organization_id', '=', organization)
    .where('organization_role', 'in', ['admin', 'accountAdmin'])
    .where('id', '!=', except)
    .where('deletion_at', 'is', null)
    .select(['id', 'locale'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
