// Not in users.ts, so that the browser app does not load the schemas.
import type { OrganizationRole } from './users.ts'

/** The roles of an organization, the weakest first. docs/roles.md describes the permissions of each. */
export const rankedRoles: readonly OrganizationRole[] = ['user', 'teacher', 'admin', 'accountAdmin']

/** Returns a role and the weaker ones, which a member with this role can give. */
export const rolesUpTo = (role: OrganizationRole | null): readonly OrganizationRole[] =>
  role === null ? [] : rankedRoles.slice(0, rankedRoles.indexOf(role) + 1)

export const isOrganizationRole = (text: string): text is OrganizationRole =>
  rankedRoles.some((role) => role === text)
