import type { OrganizationRole, UserDetails, UserPublic } from '../../contract/users.ts'
import { dateTime } from '../../lib/date-time.ts'

/** What of a user's row is shown to others. */
export interface UserFacts {
  id: string
  username: string
  firstname: string | null
  lastname: string | null
  organization_id: string | null
  organization_role: OrganizationRole | null
  created_at: number
}

export function presentUser(user: UserFacts, publicUrl: string): UserPublic {
  const name = [user.firstname, user.lastname].filter(Boolean).join(' ')
  return {
    id: user.id,
    type: 'user',
    product: user.organization_id ? 'flatEdu' : 'flat',
    username: user.username,
    printableName: name || user.username,
    firstname: user.firstname ?? undefined,
    lastname: user.lastname ?? undefined,
    name: name || undefined,
    picture: null,
    organization: user.organization_id ?? undefined,
    organizationRole: user.organization_role ?? undefined,
    htmlUrl: `${publicUrl}/users/${user.id}`,
    registrationDate: dateTime(user.created_at),
  }
}

/** The user as the user sees it. */
export function presentUserDetails(
  user: UserFacts & { email_verified: 0 | 1; locale: string },
  publicUrl: string,
): UserDetails {
  return {
    ...presentUser(user, publicUrl),
    isEmailVerified: user.email_verified === 1,
    locale: user.locale,
    groups: [],
  }
}

/** What an app learns of a member of an organization when it may not know the person: that it is the same one again. */
export function presentAnonymisedUser(user: UserFacts & { locale: string }): UserDetails {
  return {
    id: user.id,
    type: 'user',
    product: user.organization_id ? 'flatEdu' : 'flat',
    username: `user-${user.id}`,
    picture: null,
    organization: user.organization_id ?? undefined,
    organizationRole: user.organization_role ?? undefined,
    // The serializer would fill in the default of the schema, which may not be true.
    locale: user.locale,
  }
}
