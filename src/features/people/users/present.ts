import type { OrganizationRole, UserDetails, UserPublic } from '../../../contract/users.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { Actor, Viewer } from '../../../actor.ts'
import { canSeeOwnAddress, canSeeOwnProfile, canSeeProfile } from './policy.ts'

/** The columns of a user that other users may see. */
export interface UserFacts {
  id: string
  username: string
  firstname: string | null
  lastname: string | null
  organization_id: string | null
  organization_role: OrganizationRole | null
  created_at: number
}

/** The columns that only the user may see. */
type OwnFacts = UserFacts & { email: string | null; email_verified: 0 | 1; locale: string }

/** Presents a user with name, as in the creator of a score that the viewer may see. */
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

/** Presents as much of a profile as the viewer may see. */
export function presentProfile(user: UserFacts, viewer: Viewer, publicUrl: string): UserPublic {
  return canSeeProfile(viewer, user) ? presentUser(user, publicUrl) : presentAnonymisedUser(user)
}

/**
 * Presents the caller's profile with the private fields that the scopes of the token allow.
 * @param groups ids of the groups that the caller is in
 */
export function presentOwnProfile(
  user: OwnFacts,
  actor: Actor,
  publicUrl: string,
  groups: readonly string[],
): UserDetails {
  const profile = canSeeOwnProfile(actor, user)
    ? presentDetails(user, publicUrl, groups)
    : presentIdentity(user)
  if (!canSeeOwnAddress(actor) || user.email === null) return profile
  return { ...profile, email: user.email, isEmailVerified: user.email_verified === 1 }
}

/** Presents a user with the private fields. */
export function presentDetails(user: OwnFacts, publicUrl: string, groups: readonly string[]): UserDetails {
  return {
    ...presentUser(user, publicUrl),
    isEmailVerified: user.email_verified === 1,
    locale: user.locale,
    groups: [...groups],
  }
}

/** Presents only what identifies the caller's account. */
export function presentIdentity(user: OwnFacts): UserDetails {
  // Without it, the serializer would fill in the default of the schema, which may be wrong.
  return { ...presentAnonymisedUser(user), locale: user.locale }
}

/** Presents a user by id only, without a name. */
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
