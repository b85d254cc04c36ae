import type { OrganizationRules, RuleName, RuleValue } from '../../../contract/organization-rules.ts'
import { organizationRules, ruleNames } from '../../../contract/organization-rules.ts'
import { day, hour } from '../../../lib/durations.ts'
import type { OrganizationsTable } from '../../../platform/db/people-tables.ts'
import type { OrganizationChange } from '../organizations/store.ts'

/** The column of each rule, and the unit of its number. */
const columns: { readonly [Name in RuleName]: { column: keyof OrganizationsTable; unit?: number } } = {
  requireSecondFactor: { column: 'requires_second_factor' },
  requirePasskey: { column: 'requires_passkey' },
  requireProvider: { column: 'requires_provider' },
  maxSessionHours: { column: 'max_session_ms', unit: hour },
  maxTokenDays: { column: 'max_token_ms', unit: day },
  minPasswordLength: { column: 'min_password_length' },
  invitationDays: { column: 'invitation_days' },
  teachersResetPasswords: { column: 'allows_teachers_to_set_passwords' },
  allowPictureSignIn: { column: 'allows_picture_sign_in' },
  allowSignUpByCode: { column: 'allows_sign_up_by_code' },
  allowPublicScores: { column: 'allows_public_scores' },
}

/** Returns the rules of an organization. */
export function rulesOf(organization: OrganizationsTable): OrganizationRules {
  const value = (name: RuleName): RuleValue => {
    const { column, unit = 1 } = columns[name]
    const stored = organization[column]
    if (organizationRules[name].kind === 'switch') return stored === 1
    return stored === null ? null : Number(stored) / unit
  }
  return Object.fromEntries(ruleNames.map((name) => [name, value(name)])) as OrganizationRules
}

/** Returns the columns of changed rules. */
export function columnsOf(rules: Partial<OrganizationRules>): OrganizationChange {
  const stored = (name: RuleName, value: RuleValue): number | null => {
    if (typeof value === 'boolean') return value ? 1 : 0
    return value === null ? null : value * (columns[name].unit ?? 1)
  }
  return Object.fromEntries(
    ruleNames.flatMap((name) => {
      const value = rules[name]
      return value === undefined ? [] : [[columns[name].column, stored(name, value)]]
    }),
  )
}
