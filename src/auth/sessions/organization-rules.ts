import type { OrganizationRole } from '../../contract/users.ts'
import type { OrganizationsTable } from '../../platform/db/tables.ts'

/** The columns with what an organization requires of the sessions of its members. All are null without an organization. */
export const ruleColumns = [
  'organizations.requires_second_factor',
  'organizations.requires_provider',
  'organizations.max_session_ms',
] as const

/**
 * Whether a member must set up a second factor before anything else. A member who cannot sign in by password has no use for
 * one.
 */
export const needsSecondFactor = (
  rules: { [Rule in 'requires_second_factor' | 'requires_provider']: OrganizationsTable[Rule] | null },
  member: { role: OrganizationRole | null; hasPassword: boolean; hasSecondFactor: boolean },
): boolean =>
  rules.requires_second_factor === 1 &&
  rules.requires_provider !== 1 &&
  member.role !== null &&
  member.role !== 'user' &&
  member.hasPassword &&
  !member.hasSecondFactor
