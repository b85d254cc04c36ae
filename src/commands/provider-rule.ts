import { fail } from '../errors.ts'
import { findOrganization } from '../features/people/organizations/store.ts'
import type { Transaction } from '../platform/db/database.ts'
import { listProviders } from '../auth/providers/store.ts'

/** @throws PROVIDER_MISSING if the members can sign in only through a provider, and the organization has none */
export async function checkProviderRule(tx: Transaction, organization: string): Promise<void> {
  if ((await findOrganization(tx, organization))?.requires_provider !== 1) return
  const providers = await listProviders(tx)
  if (!providers.some(({ organization_id }) => organization_id === organization)) fail('PROVIDER_MISSING')
}
