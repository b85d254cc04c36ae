import type { UserRow } from '../../people/users/store.ts'
import type { Member } from '../../people/organizations/policy.ts'

/**
 * Returns a user as the reader of what the server sends without a request, with the rights of the own memberships and without the
 * powers of an administrator. Undefined for an individual account, which has no classes.
 */
export function readerOf({ id, organization_id, organization_role, locale }: UserRow): Member | undefined {
  if (organization_id === null || organization_role === null) return undefined
  return {
    id,
    organization: organization_id,
    organizationRole: organization_role,
    locale,
    rateLimit: undefined,
    access: {
      kind: 'session',
      isDelegated: true,
      scopes: new Set(),
      missingFactor: undefined,
      hash: '',
      app: undefined,
    },
  }
}
