import type { OrganizationRole, UserDetails, UserPublic } from '../../contract/users.ts'
import { dateTime } from '../../lib/date-time.ts'
import type { Actor, Viewer } from '../../operation.ts'
import { canSeeProfile } from './policy.ts'

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

/** What of it is shown to the user alone. */
type OwnFacts = UserFacts & { email_verified: 0 | 1; locale: string }

/** The user by name, as stands beside what the user has made for whoever may see that. */
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

/** The profile of a user, as much of it as this viewer may see. */
export function presentProfile(user: UserFacts, viewer: Viewer, publicUrl: string): UserPublic {
  return canSeeProfile(viewer, user) ? presentUser(user, publicUrl) : presentAnonymisedUser(user)
}

/**
 * The profile of the caller, with what is the caller's alone.
 * @param groups the ids of those that the caller is in
 */
export function presentOwnProfile(
  user: OwnFacts,
  actor: Actor,
  publicUrl: string,
  groups: readonly string[],
): UserDetails {
  if (!canSeeProfile(actor, user)) return presentIdentity(user)
  return presentDetails(user, publicUrl, groups)
}

/** The user with what is told to the user alone. */
export function presentDetails(user: OwnFacts, publicUrl: string, groups: readonly string[]): UserDetails {
  return {
    ...presentUser(user, publicUrl),
    isEmailVerified: user.email_verified === 1,
    locale: user.locale,
    groups: [...groups],
  }
}

/** What identifies the caller's account. */
export function presentIdentity(user: OwnFacts): UserDetails {
  // The serializer would fill in the default of the schema for the locale, which may not be true.
  return { ...presentAnonymisedUser(user), locale: user.locale }
}

/** A user of whom only this is shown: that it is the same one again. */
function presentAnonymisedUser(user: UserFacts): UserPublic {
  return {
    id: user.id,
    type: 'user',
    product: user.organization_id ? 'flatEdu' : 'flat',
    username: `user-${user.id}`,
    picture: null,
    organization: user.organization_id ?? undefined,
    organizationRole: user.organization_role ?? undefined,
  }
}
