import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { WebhookEndpointsTable } from '../../../platform/db/event-tables.ts'
import type { Audience } from '../events/store.ts'

export type Endpoint = WebhookEndpointsTable
export type EndpointChange = Partial<Omit<Endpoint, 'id' | 'organization_id' | 'user_id'>>

const columnOf = (audience: Audience) => ('user' in audience ? 'user_id' : 'organization_id')
const idOf = (audience: Audience) => ('user' in audience ? audience.user : audience.organization)

export async function insertEndpoint(tx: Transaction, row: Endpoint): Promise<void> {
  await tx.insertInto('webhook_endpoints').values(row).execute()
}

export async function findEndpoint(queries: Queries, id: string): Promise<Endpoint | undefined> {
  return queries.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Lists the endpoints of an account or an organization, the oldest first. */
export async function listEndpoints(queries: Queries, audience: Audience): Promise<Endpoint[]> {
  return queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where(columnOf(audience), '=', idOf(audience))
    .orderBy('id')
    .execute()
}

/** Lists some endpoints of all organizations and accounts in the order of their ids, for the command line. */
export async function listEndpointsAfter(
  queries: Queries,
  after: string,
  limit: number,
): Promise<Endpoint[]> {
  return queries
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function updateEndpoint(tx: Transaction, id: string, change: EndpointChange): Promise<void> {
  await tx.updateTable('webhook_endpoints').set(change).where('id', '=', id).execute()
}

/** Deletes an endpoint with its deliveries. */
export async function deleteEndpoint(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
}

/** Makes a user who leaves an organization responsible for none of its endpoints. */
export async function clearCreator(tx: Transaction, user: string): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({ created_by: null })
    .where('created_by', '=', user)
    .where('organization_id', 'is not', null)
    .execute()
}
