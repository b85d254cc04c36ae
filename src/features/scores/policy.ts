import { timingSafeEqual } from 'node:crypto'
import type { ResourceRights, ScorePrivacy } from '../../contract/scores.ts'
import type { Queries } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Viewer } from '../../operation.ts'
import { findUser } from '../users/store.ts'
import { atOnce, findRevision, findScore, type OwnerRow, type RevisionRow, type ScoreRow } from './store.ts'

/** What decides who may do what with a score. */
export interface Protected {
  owner_id: string
  privacy: ScorePrivacy
  sharing_key: string | null
  trashed: 0 | 1
  deletion_at: number | null
}

/** What of its owner decides as well. */
export type ProtectedBy = Pick<OwnerRow, 'organization_id' | 'allows_public_scores'>

const nothing: ResourceRights = { aclRead: false, aclWrite: false, aclAdmin: false, isCollaborator: false }

/** What a viewer may do with a score. One in the trash is its owner's alone, one that is being deleted nobody's. */
export function rightsOn(score: Protected, owner: ProtectedBy, viewer: Viewer, sharingKey?: string): ResourceRights {
  if (score.deletion_at === atOnce) return nothing
  if (viewer?.id === score.owner_id) {
    return { aclRead: true, aclWrite: true, aclAdmin: true, isCollaborator: true, collaboratorType: 'owner' }
  }
  if (score.trashed) return nothing
  return isOpenTo(score, owner, viewer, sharingKey) ? { ...nothing, aclRead: true } : nothing
}

function isOpenTo(score: Protected, owner: ProtectedBy, viewer: Viewer, sharingKey: string | undefined): boolean {
  const organization = owner.organization_id
  const isColleague = organization !== null && viewer?.organization === organization
  const isWithinReach = isColleague || canBePublic(organization, owner.allows_public_scores)
  switch (score.privacy) {
    case 'public':
      return isWithinReach
    case 'organizationPublic':
      return isColleague
    case 'privateLink':
      return isWithinReach && sharingKey !== undefined && isKeyOf(score, sharingKey)
    case 'private':
      return false
  }
}

/** Whether scores may leave the organization of their owner; an individual account has none that could keep them. */
function canBePublic(organization: string | null, allowsPublicScores: 0 | 1 | null): boolean {
  return organization === null || allowsPublicScores === 1
}

/** Takes the same time wherever the keys differ. */
function isKeyOf({ sharing_key }: Protected, given: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(sharing_key ?? '')]
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b)
}

export const canRead = (rights: ResourceRights): boolean => rights.aclRead
export const canWrite = (rights: ResourceRights): boolean => rights.aclWrite
export const canAdminister = (rights: ResourceRights): boolean => rights.aclAdmin

/**
 * Whether the owner may give a score this privacy.
 * @throws PUBLIC_SCORES_DISABLED
 */
export async function checkPrivacy(queries: Queries, owner: string, privacy: ScorePrivacy): Promise<void> {
  if (privacy !== 'public') return
  const user = await findUser(queries, { id: owner })
  if (user && !canBePublic(user.organization_id, user.allows_public_scores)) {
    fail('PUBLIC_SCORES_DISABLED', { param: 'privacy' })
  }
}

/** A score, whose it is, and what its viewer may do with it. */
export interface LoadedScore {
  score: ScoreRow
  owner: OwnerRow
  rights: ResourceRights
}

/**
 * The score, for someone who may do this with it.
 * @throws SCORE_NOT_FOUND when there is none that the viewer may see; SCORE_ACCESS_DENIED when it may only be seen
 */
export async function loadScore(
  queries: Queries,
  viewer: Viewer,
  id: string,
  can: (rights: ResourceRights) => boolean,
  sharingKey?: string,
): Promise<LoadedScore> {
  const found = isId(id) ? await findScore(queries, { id, viewer: viewer?.id ?? '' }) : undefined
  if (!found) fail('SCORE_NOT_FOUND')
  const { score, owner } = found
  const rights = rightsOn(score, owner, viewer, sharingKey)
  if (!rights.aclRead) fail('SCORE_NOT_FOUND')
  if (!can(rights)) fail('SCORE_ACCESS_DENIED')
  return { score, owner, rights }
}

/** Whether the viewer may read a score, if it is there at all. */
export async function mayRead(queries: Queries, viewer: Viewer, id: string, sharingKey?: string): Promise<boolean> {
  const found = await findScore(queries, { id, viewer: viewer?.id ?? '' })
  return found !== undefined && canRead(rightsOn(found.score, found.owner, viewer, sharingKey))
}

/** A revision of a score that was loaded; `last` is the newest. @throws REVISION_NOT_FOUND */
export async function loadRevision(queries: Queries, score: ScoreRow, idOrLast: string): Promise<RevisionRow> {
  const id = idOrLast === 'last' ? score.last_revision_id : idOrLast
  const revision = isId(id) ? await findRevision(queries, { score: score.id, id }) : undefined
  if (!revision) fail('REVISION_NOT_FOUND')
  return revision
}
