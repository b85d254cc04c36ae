import type { Queries } from '../../../platform/db/database.ts'
import { type FailureDetails, fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor, Viewer } from '../../../actor.ts'
import { findUser, type UserRow } from './store.ts'

/**
 * Whether the viewer may know that the user exists. Individual accounts are public. A member of an
 * organization is visible in the organization, and to other users only if the organization allows it.
 */
export function canSeeUser(
  viewer: Viewer,
  user: { id: string; organization_id: string | null; allows_public_scores: 0 | 1 | null },
): boolean {
  if (!user.organization_id || user.allows_public_scores === 1) return true
  return viewer?.id === user.id || viewer?.organization === user.organization_id
}

/** The columns that decide who sees the profile of a user. */
interface ProfileOwner {
  id: string
  organization_id: string | null
  is_private: 0 | 1
}

/**
 * Whether the viewer may see the name of the user, not only the id. The profile of a member of an
 * organization needs a token with the scope for education profiles, even if it is the caller's own profile. The private
 * profile of an individual account is for this account only.
 */
export function canSeeProfile(viewer: Viewer, user: ProfileOwner): boolean {
  if (user.organization_id !== null) return viewer?.access.scopes.has('account.education_profile') === true
  return !isPrivateFor(viewer, user)
}

/** Whether the user hides the profile, with the lists of scores and likes, from the viewer. */
export const isPrivateFor = (viewer: Viewer, { id, organization_id, is_private }: ProfileOwner): boolean =>
  organization_id === null && is_private === 1 && viewer?.id !== id

/** Whether a token may see the profile of its own account: the scope `account.email` alone shows only the address. */
export function canSeeOwnProfile(actor: Actor, user: ProfileOwner): boolean {
  const { scopes } = actor.access
  if (scopes.has('account.education_profile')) return true
  return scopes.has('account.public_profile') && canSeeProfile(actor, user)
}

export const canSeeOwnAddress = ({ access }: Actor): boolean => access.scopes.has('account.email')

/**
 * Loads the user of a path: an id or `me`.
 * @throws USER_NOT_FOUND if the user does not exist or the viewer may not know that it exists
 */
export async function loadUser(
  queries: Queries,
  viewer: Viewer,
  idOrMe: string,
  details?: FailureDetails,
): Promise<UserRow> {
  const id = idOrMe === 'me' ? viewer?.id : idOrMe
  const user = id && isId(id) ? await findUser(queries, { id }) : undefined
  if (!user || !canSeeUser(viewer, user)) fail('USER_NOT_FOUND', details)
  return user
}
