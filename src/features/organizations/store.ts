import type { OrganizationRole } from '../../contract/users.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { OrganizationsTable } from '../../db/tables.ts'

/** An organization as it begins: without limits, and closed to the outside. */
export const newOrganization = (id: string, name: string, now: number): OrganizationsTable => ({
  id,
  name,
  max_classes: null,
  max_seats: null,
  allows_public_scores: 0,
  allows_sign_up_by_code: 0,
  retention_days: 30,
  created_at: now,
})

export async function insertOrganization(tx: Transaction, organization: OrganizationsTable): Promise<void> {
  await tx.insertInto('organizations').values(organization).execute()
}

export async function findOrganization(queries: Queries, id: string): Promise<OrganizationsTable | undefined> {
  return queries.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
}

export type OrganizationChange = Partial<Omit<OrganizationsTable, 'id'>>

/** Changes what is given. Whether there is such an organization. */
export async function updateOrganization(tx: Transaction, id: string, change: OrganizationChange): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable('organizations').set(change).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function updateRole(tx: Transaction, user: string, role: OrganizationRole): Promise<void> {
  await tx.updateTable('users').set({ organization_role: role }).where('id', '=', user).execute()
}

/** Whether somebody else is one of these in the organization. */
export async function hasMemberOfRole(
  queries: Queries,
  organization: string,
  roles: readonly OrganizationRole[],
  { but }: { but: string },
): Promise<boolean> {
  const other = await queries
    .selectFrom('users')
    .where('organization_id', '=', organization)
    .where('organization_role', 'in', roles)
    .where('id', '!=', but)
    .where('deletion_at', 'is', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** How many people have one of the organization's seats. */
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

/** Those who administer an organization, this one left out, the oldest account first. */
export async function listAdministrators(
  queries: Queries,
  organization: string,
  { but }: { but: string },
): Promise<{ id: string }[]> {
  return queries
    .selectFrom('users')
    .where('organization_id', '=', organization)
    .where('organization_role', 'in', ['admin', 'accountAdmin'])
    .where('id', '!=', but)
    .where('deletion_at', 'is', null)
    .select('id')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
