import Type, { type Static } from 'typebox'
import { OneOf } from '../../contract/schema.ts'
import type { MemberFilter } from './members.ts'

/** What lists and counts of members take to say whom they are of. */
export const memberQuery = {
  role: Type.Optional(Type.Array(OneOf(['user', 'teacher', 'admin', 'accountAdmin']), { description: 'Any of them.' })),
  q: Type.Optional(Type.String({ description: 'Words that are in the names, the username or the e-mail address.' })),
  group: Type.Optional(Type.Array(Type.String(), { description: 'Members of any of these groups.' })),
  noActiveLicense: Type.Optional(Type.Boolean({ description: 'Only those without an active licence: test students.' })),
  testAccounts: Type.Optional(OneOf(['exclude', 'only'], { description: 'Without test students, or these alone.' })),
}
const MemberQuery = Type.Object(memberQuery)

/**
 * Who is asked for; undefined where that can be nobody. Every member has the licence of the organization, which does not
 * run out, except for test students, who have none.
 */
export function memberFilter(
  query: Static<typeof MemberQuery> & { licenseExpirationDate?: readonly string[] },
): MemberFilter | undefined {
  const { role: roles, q: search, group: groups, noActiveLicense, testAccounts, licenseExpirationDate = [] } = query
  if (licenseExpirationDate.length > 0 || (noActiveLicense && testAccounts === 'exclude')) return undefined
  const testStudent = noActiveLicense || testAccounts === 'only' ? true : testAccounts === 'exclude' ? false : undefined
  return { roles, search, groups, testStudent }
}
