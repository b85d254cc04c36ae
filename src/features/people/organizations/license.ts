import type { UserDetailsAdmin } from '../../../contract/organizations.ts'
import { fail } from '../../../errors.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { OrganizationsTable } from '../../../platform/db/people-tables.ts'

/** The licence of an organization, which all of its members have except test students. */
export type LicenseFacts = Pick<OrganizationsTable, 'id' | 'license_expires_at'>

/** Whether the licence has not ended. */
export const isActive = ({ license_expires_at: end }: LicenseFacts, now: number): boolean =>
  end === null || end > now

/** Presents the licence of a member. Test students have no licence. The id of the licence is that of the organization. */
export const presentLicense = (license: LicenseFacts, now: number): UserDetailsAdmin['license'] => ({
  id: license.id,
  mode: 'site',
  source: 'order',
  active: isActive(license, now),
  expirationDate: license.license_expires_at === null ? undefined : dateTime(license.license_expires_at),
})

/** Which members a filter by licence matches: those who have the licence, and the test students, who have none. */
export interface LicenseMatch {
  members: boolean
  testStudents: boolean
}

/**
 * Matches the values of `licenseExpirationDate`: `active`, `notActive`, or the day on which the licence ends (UTC). A member
 * matches if one of the values does.
 * @throws INVALID_PARAMETER
 */
export function matchExpiration(values: readonly string[], license: LicenseFacts, now: number): LicenseMatch {
  const { license_expires_at: end } = license
  const matches = values.map((value): LicenseMatch => {
    if (value === 'active') return { members: isActive(license, now), testStudents: false }
    if (value === 'notActive') return { members: !isActive(license, now), testStudents: true }
    return { members: end !== null && dateTime(end).startsWith(dayOf(value)), testStudents: false }
  })
  return {
    members: matches.some(({ members }) => members),
    testStudents: matches.some(({ testStudents }) => testStudents),
  }
}

/** @returns the day of a date, such as `2031-07-31` */
function dayOf(value: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(T|$)/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) {
    const param = 'licenseExpirationDate'
    fail('INVALID_PARAMETER', { param, message: `\`${param}\` must be active, notActive or a date.` })
  }
  return dateTime(time).slice(0, 10)
}
