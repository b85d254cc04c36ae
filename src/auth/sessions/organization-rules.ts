import type { OrganizationRole } from '../../contract/users.ts'
import type { OrganizationsTable } from '../../platform/db/people-tables.ts'

/** The columns with what an organization requires of the sessions of its members. All are null without an organization. */
export const ruleColumns = [
  'organizations.requires_second_factor',
  'organizations.requires_passkey',
  'organizations.requires_provider',
  'organizations.max_session_ms',
] as const

type Rules = {
  [Rule in 'requires_second_factor' | 'requires_passkey' | 'requires_provider']:
    | OrganizationsTable[Rule]
    | null
}

interface Member {
  readonly role: OrganizationRole | null
  readonly hasPassword: boolean
}

/** What a member must set up before anything else. A passkey is a second factor too. */
export type MissingFactor = 'second factor' | 'passkey'

/** Returns what a member must set up before anything else. */
export function missingFactor(
  rules: Rules,
  member: Member & { hasAuthenticatorApp: boolean; hasPasskey: boolean },
): MissingFactor | undefined {
  if (!isUnderFactorRules(rules, member) || member.hasPasskey) return undefined
  if (rules.requires_passkey === 1) return 'passkey'
  return rules.requires_second_factor === 1 && !member.hasAuthenticatorApp ? 'second factor' : undefined
}

/** Whether codes of an authenticator app do not sign a member in who has a passkey. */
export const requiresPasskey = (rules: Rules, member: Member): boolean =>
  rules.requires_passkey === 1 && isUnderFactorRules(rules, member)

/** Students are free. A member who cannot sign in by password has no use for a second factor. */
const isUnderFactorRules = (rules: Rules, { role, hasPassword }: Member): boolean =>
  rules.requires_provider !== 1 && role !== null && role !== 'user' && hasPassword
