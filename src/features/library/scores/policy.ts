import { timingSafeEqual } from 'node:crypto'
import type { ScorePrivacy } from '../../../contract/scores.ts'
import type { ResourceRights } from '../../../contract/sharing.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Viewer } from '../../../actor.ts'
import { canSeeUser } from '../../people/users/policy.ts'
import { findUser } from '../../people/users/store.ts'
import { type Access, noRights, ownersRights, rightsThrough } from '../sharing/access.ts'
import type { GrantRow } from '../sharing/grants.store.ts'
import { lastRevisionOf } from './pending-credits.ts'
import { findRevision, type RevisionRow } from './revisions.store.ts'
import { findScore, type OwnerRow, type StoredScore } from './store.ts'
import { immediateDeletion } from './trash.store.ts'
import { findAccess, type ListViewer } from './access.store.ts'

/** The columns of a score that decide access to it. */
export interface ScoreAccessColumns {
  owner_id: string
  privacy: ScorePrivacy
  sharing_key: string | null
  trashed: 0 | 1
  deletion_at: number | null
}

/** The columns of the score's owner that decide access to it. */
export type OwnerAccessColumns = Pick<
  OwnerRow,
  'organization_id' | 'organization_role' | 'allows_public_scores'
>

/**
 * Returns the rights of a viewer on a score. Only the owner and administrators can see a score in the trash.
 * A score that is being deleted is visible to no user. `listableBy` is the same rule as an SQL condition.
 * @param access the strongest access that the viewer was given
 */
export function rightsOn(
  score: ScoreAccessColumns,
  owner: OwnerAccessColumns,
  viewer: Viewer,
  access: Access | undefined,
  sharingKey?: string,
): ResourceRights {
  if (score.deletion_at === immediateDeletion) return noRights
  if (viewer?.id === score.owner_id) return ownersRights
  const granted = access && grantCounts(owner, viewer) ? rightsThrough(access) : undefined
  if (score.trashed) return granted?.aclAdmin ? granted : noRights
  return granted ?? (isOpenTo(score, owner, viewer, sharingKey) ? { ...noRights, aclRead: true } : noRights)
}

/** The user whose rights are checked. */
export interface Caller {
  id: string
  organization?: string | undefined
}

const isColleague = ({ organization_id }: Pick<Member, 'organization_id'>, viewer: Caller | undefined) =>
  organization_id !== null && viewer?.organization === organization_id

/**
 * Returns whether a viewer can reach anything of this owner. Content of an organization stays within the
 * organization unless the organization allows public scores.
 */
export const canReach = (owner: OwnerReach, viewer: Caller | undefined): boolean =>
  isColleague(owner, viewer) || canBePublic(owner.organization_id, owner.allows_public_scores)

type OwnerReach = Omit<OwnerAccessColumns, 'organization_role'>

/**
 * A grant on a student's score counts only for members of the same organization. This also holds if the
 * student put the score into a shared collection.
 */
const grantCounts = (owner: OwnerAccessColumns, viewer: Viewer): boolean =>
  isColleague(owner, viewer) || (!isStudent(owner) && canReach(owner, viewer))

/**
 * Returns whether the owner's content may be shared with this user or group. Both must be in the same
 * organization, or both must be allowed to share publicly.
 */
export function canShareWith(owner: OwnerReach, to: OwnerReach): boolean {
  const isOpen = (one: OwnerReach) => canBePublic(one.organization_id, one.allows_public_scores)
  return isSameOrganization(owner, to) || (isOpen(owner) && isOpen(to))
}

/**
 * Returns whether one of the two is a student and the other is not a member of the same organization. Such
 * users cannot share with each other.
 */
export function isStudentOutsideOrganization(one: Member, other: Member): boolean {
  return !isSameOrganization(one, other) && (isStudent(one) || isStudent(other))
}

type Member = Pick<OwnerRow, 'organization_id' | 'organization_role'>

const isStudent = ({ organization_role }: Pick<Member, 'organization_role'>) => organization_role === 'user'

export const isSameOrganization = (
  one: Pick<Member, 'organization_id'>,
  other: Pick<Member, 'organization_id'>,
) => one.organization_id !== null && one.organization_id === other.organization_id

function isOpenTo(
  score: ScoreAccessColumns,
  owner: OwnerAccessColumns,
  viewer: Viewer,
  sharingKey: string | undefined,
): boolean {
  switch (score.privacy) {
    case 'public':
      return canReach(owner, viewer)
    case 'organizationPublic':
      return isColleague(owner, viewer)
    case 'privateLink':
      return canReach(owner, viewer) && sharingKey !== undefined && matchesSharingKey(score, sharingKey)
    case 'private':
      return false
  }
}

/**
 * Returns whether scores may leave the organization of their owner. An individual account has no organization
 * that could restrict it.
 */
function canBePublic(organization: string | null, allowsPublicScores: 0 | 1 | null): boolean {
  return organization === null || allowsPublicScores === 1
}

/** Compares the sharing key in constant time. */
function matchesSharingKey({ sharing_key }: ScoreAccessColumns, sent: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(sharing_key ?? '')]
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Returns whether a viewer with these rights can see a grant. Only collaborators can see groups and invited
 * addresses. Other viewers can see collaborators with individual accounts and collaborators from their own
 * organization. No viewer can see a collaborator whose profile the viewer may not see.
 */
export function canSeeGrant(grant: GrantRow, rights: ResourceRights, viewer: Viewer): boolean {
  const { user_id: id, organization_id, allows_public_scores } = grant
  if (id === null) return rights.isCollaborator === true
  if (rights.isCollaborator) return canSeeUser(viewer, { id, organization_id, allows_public_scores })
  return organization_id === null || viewer?.organization === organization_id
}

export const listViewer = (viewer: Caller | undefined): ListViewer => ({
  viewer: viewer?.id ?? '',
  organization: viewer?.organization ?? '',
})

export const canRead = (rights: ResourceRights): boolean => rights.aclRead
export const canWrite = (rights: ResourceRights): boolean => rights.aclWrite
export const canAdminister = (rights: ResourceRights): boolean => rights.aclAdmin

/**
 * Checks that the owner may give a score this privacy.
 * @throws PUBLIC_SCORES_DISABLED
 */
export async function checkPrivacy(queries: Queries, owner: string, privacy: ScorePrivacy): Promise<void> {
  if (privacy !== 'public') return
  const user = await findUser(queries, { id: owner })
  if (user && !canBePublic(user.organization_id, user.allows_public_scores)) {
    fail('PUBLIC_SCORES_DISABLED', { param: 'privacy' })
  }
}

/** A score with its owner and the rights of the viewer. */
export interface LoadedScore {
  score: StoredScore
  owner: OwnerRow
  rights: ResourceRights
  /**
   * Whether the viewer can read the score only through a resource library. That opens the music, but not the
   * comments on it.
   */
  isFromLibrary: boolean
}

/**
 * Loads a score and checks that the viewer has the required right.
 * @param can the right that the operation needs, for example `canWrite`
 * @throws SCORE_NOT_FOUND if the score does not exist or the viewer cannot see it; SCORE_ACCESS_DENIED if the
 *   viewer can
 *   see it but does not have the right
 */
export async function loadScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  can: (rights: ResourceRights) => boolean,
  sharingKey?: string,
): Promise<LoadedScore> {
  const loaded = isId(id) ? await findReadableScore(queries, viewer, id, sharingKey) : undefined
  if (!loaded) failScoreNotFound(id)
  if (!can(loaded.rights)) fail('SCORE_ACCESS_DENIED')
  return loaded
}

/** Returns a score, or undefined if it does not exist or the viewer cannot read it. */
export async function findReadableScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey?: string,
): Promise<LoadedScore | undefined> {
  const row = await findScore(queries, { id, ...listViewer(viewer) })
  if (!row) return undefined
  const { score, owner } = row
  const access = await findAccess(queries, score, viewer)
  const rights = rightsOn(score, owner, viewer, access, sharingKey)
  const isFromLibrary = access?.through === 'library' && !isOpenTo(score, owner, viewer, sharingKey)
  return rights.aclRead ? { score, owner, rights, isFromLibrary } : undefined
}

/** Throws SCORE_NOT_FOUND, or a specific error for an id that names a file in Google Drive. */
export function failScoreNotFound(id: string): never {
  fail(id.startsWith('drive-') ? 'GOOGLE_DRIVE_SCORE_NOT_FOUND' : 'SCORE_NOT_FOUND')
}

/** Returns whether the score exists and the viewer can read it. */
export async function canReadScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  sharingKey?: string,
): Promise<boolean> {
  return (await findReadableScore(queries, viewer, id, sharingKey)) !== undefined
}

/**
 * Loads a revision of a score. Outside of a transaction, `openRevision` does it.
 * @param idOrLast the id of a revision, or `last` for the newest
 * @throws REVISION_NOT_FOUND; CreditsArePending for `last`
 */
export async function loadRevision(
  queries: Queries,
  score: StoredScore,
  idOrLast: string,
): Promise<RevisionRow> {
  const id = idOrLast === 'last' ? lastRevisionOf(score) : idOrLast
  const revision = isId(id) ? await findRevision(queries, { score: score.id, id }) : undefined
  if (!revision) fail('REVISION_NOT_FOUND')
  return revision
}
