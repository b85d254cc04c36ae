import type { Queries } from '../../db/database.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Viewer } from '../../operation.ts'
import { findUser, type UserRow } from './store.ts'

/**
 * Whether the viewer may know of the user. Individual accounts are public; a member of an organization is seen within
 * it, and outside only if the organization has opened itself.
 */
export function canSeeUser(
  viewer: Viewer,
  user: { id: string; organization_id: string | null; allows_public_scores: 0 | 1 | null },
): boolean {
  if (!user.organization_id || user.allows_public_scores === 1) return true
  return viewer?.id === user.id || viewer?.organization === user.organization_id
}

/**
 * Whether the viewer may know who the user is, and not only that it is the same one again. The profile of a member of an
 * organization is for tokens that may see education profiles: neither a token without that nor nobody in particular sees
 * it, one's own included.
 */
export function canSeeProfile(viewer: Viewer, user: { organization_id: string | null }): boolean {
  return user.organization_id === null || viewer?.token.scopes.has('account.education_profile') === true
}

/** The user of a path: an id or `me`. @throws USER_NOT_FOUND when there is none, or none that the viewer may know of. */
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
