import type { Queries, Transaction } from '../../db/database.ts'
import type { OrganizationsTable } from '../../db/tables.ts'

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
