import type { Profile } from '../../../contract/account.ts'
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
  picture_id: string | null
  created_at: number
}

/** The columns of a profile, which only the operations for one user show. */
type ProfileFacts = UserFacts & { bio: string | null; is_private: 0 | 1; cover_picture_id: string | null }

/** The columns that only the user may see. */
type OwnFacts = ProfileFacts & { email: string | null; email_verified: 0 | 1; locale: string }

/** Returns the address of a picture, which needs no credentials. Null without a picture. */
const pictureUrl = (id: string | null, publicUrl: string): string | null =>
  id === null ? null : `${publicUrl}/pictures/${id}`

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
    picture: pictureUrl(user.picture_id, publicUrl),
    organization: user.organization_id ?? undefined,
    organizationRole: user.organization_role ?? undefined,
    htmlUrl: `${publicUrl}/users/${user.id}`,
    registrationDate: dateTime(user.created_at),
  }
}

/** Presents as much of a profile as the viewer may see. */
export function presentProfile(user: ProfileFacts, viewer: Viewer, publicUrl: string): UserPublic {
  return canSeeProfile(viewer, user) ? presentUserPage(user, publicUrl) : presentAnonymisedUser(user)
}

/** Presents a user with what the user wrote for the page of the profile. */
const presentUserPage = (user: ProfileFacts, publicUrl: string): UserPublic => ({
  ...presentUser(user, publicUrl),
  bio: user.bio ?? undefined,
  coverPicture: pictureUrl(user.cover_picture_id, publicUrl) ?? undefined,
})

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
    ...presentUserPage(user, publicUrl),
    isEmailVerified: user.email_verified === 1,
    privateProfile: user.organization_id === null ? user.is_private === 1 : undefined,
    locale: user.locale,
    groups: [...groups],
    pictureFile: user.picture_id ?? undefined,
    coverPictureFile: user.cover_picture_id ?? undefined,
  }
}

/** Presents what the user can change in the own profile. */
export const presentEditableProfile = (user: ProfileFacts, publicUrl: string): Profile => ({
  bio: user.bio ?? '',
  privateProfile: user.organization_id === null ? user.is_private === 1 : null,
  picture: pictureUrl(user.picture_id, publicUrl),
  cover: pictureUrl(user.cover_picture_id, publicUrl),
})

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
