import Type, { type Static } from 'typebox'
import { OneOf } from '../../../contract/schema.ts'
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
    Type.Boolean({ description: 'Only members without an active licence: test students.' }),
  ),
  testAccounts: Type.Optional(
    OneOf(['exclude', 'only'], { description: 'Excludes test students, or returns only them.' }),
  ),
}
const MemberQuery = Type.Object(memberQuery)

/**
 * Converts the query to a filter. Returns undefined if no member can match. Every member has the license of
 * the organization, which does not expire. Test students have none.
 */
export function memberFilter(
  query: Static<typeof MemberQuery> & { licenseExpirationDate?: readonly string[] },
): MemberFilter | undefined {
  const {
    role: roles,
    q: search,
    group: groups,
    noActiveLicense,
    testAccounts,
    licenseExpirationDate = [],
  } = query
  if (licenseExpirationDate.length > 0 || (noActiveLicense && testAccounts === 'exclude')) return undefined
  const testStudent =
    noActiveLicense || testAccounts === 'only' ? true : testAccounts === 'exclude' ? false : undefined
  return { roles, search, groups, testStudent }
}
