import Type, { type Static } from 'typebox'
import { OneOf } from '../../../contract/schema.ts'
import { isActive, type LicenseFacts, type LicenseMatch, matchExpiration } from './license.ts'
import type { MemberFilter } from './members.store.ts'

/** Query parameters that filter the members in lists and counts. */
export const memberQuery = {
  role: Type.Optional(
    Type.Array(OneOf(['user', 'teacher', 'admin', 'accountAdmin']), {
      description: 'Members who have one of these values.',
    }),
  ),
  q: Type.Optional(
    Type.String({ description: 'Words to find in the names, the username or the e-mail address.' }),
  ),
  group: Type.Optional(
    Type.Array(Type.String(), { description: 'Members of at least one of these groups.' }),
  ),
  noActiveLicense: Type.Optional(
    Type.Boolean({
      description:
        'Only members without an active licence: test students, and after the end of the licence of the ' +
        'organization all members.',
    }),
  ),
  licenseExpirationDate: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Members whose licence is `active` or `notActive`, or ends on this day (UTC).',
    }),
  ),
  testAccounts: Type.Optional(
    OneOf(['exclude', 'only'], { description: 'Excludes test students, or returns only them.' }),
  ),
}
const MemberQuery = Type.Object(memberQuery)

/**
 * Converts the query to a filter. Returns undefined if no member can match. Every member has the licence of the
 * organization. Test students have none.
 * @throws INVALID_PARAMETER
 */
export function memberFilter(
  query: Static<typeof MemberQuery>,
  license: LicenseFacts,
  now: number,
): MemberFilter | undefined {
  const { role: roles, q: search, group: groups, noActiveLicense, testAccounts } = query
  const { licenseExpirationDate = [] } = query
  const matches: LicenseMatch[] = []
  if (testAccounts) matches.push({ members: testAccounts !== 'only', testStudents: testAccounts === 'only' })
  if (noActiveLicense) matches.push({ members: !isActive(license, now), testStudents: true })
  if (licenseExpirationDate.length > 0) matches.push(matchExpiration(licenseExpirationDate, license, now))
  const members = matches.every((match) => match.members)
  const testStudents = matches.every((match) => match.testStudents)
  if (!members && !testStudents) return undefined
  return { roles, search, groups, testStudent: members && testStudents ? undefined : testStudents }
}
