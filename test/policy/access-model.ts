import type { ScorePrivacy } from '../../src/contract/scores.ts'
import type { ResourceRights } from '../../src/contract/sharing.ts'
import type { AccessLevel } from '../../src/platform/db/tables.ts'

/**
 * A second implementation of the access rules for scores, written from docs/decisions over plain sets. It
 * uses no query and nothing of src. access.test.ts compares both implementations of the server with it.
 */

export interface ModelUser {
  name: string
  /** Undefined for an individual account. */
  organization: { name: string; isOpen: boolean } | undefined
  isStudent: boolean
}

export type Group = ReadonlySet<ModelUser>

export interface ModelGrant {
  to: ModelUser | Group
  level: AccessLevel
}

export interface ModelCollection {
  owner: ModelUser
  isInTrash: boolean
  grants: readonly ModelGrant[]
}

/** A resource with attached scores. */
export interface ModelResource {
  /**
   * The owner of the library: a user, an organization, or `shipped` for the library that comes with Partita.
   */
  library: ModelUser | NonNullable<ModelUser['organization']> | 'shipped'
  privacy: 'private' | 'organizationPublic' | 'public'
}

export interface ModelScore {
  owner: ModelUser
  privacy: ScorePrivacy
  sharingKey: string
  /** Outside the trash, in the trash, or deleted by a job that has not run yet. */
  state: 'kept' | 'trashed' | 'gone'
  grants: readonly ModelGrant[]
  places: readonly { collection: ModelCollection; addedBy: ModelUser; byKey: string | undefined }[]
  attached: readonly { to: ModelResource; by: ModelUser }[]
}

/** The ways in which a viewer can have access, from the closest to the farthest. */
const ways = ['user', 'group', 'collection', 'link', 'library'] as const
type Way = (typeof ways)[number]

/** Returns the rights of a viewer on a score. An undefined viewer is anonymous. */
export function modelRights(
  viewer: ModelUser | undefined,
  score: ModelScore,
  sharingKey?: string,
): ResourceRights {
  return rightsBy(ways, viewer, score, sharingKey)
}

function rightsBy(
  counting: readonly Way[],
  viewer: ModelUser | undefined,
  score: ModelScore,
  sharingKey?: string,
): ResourceRights {
  if (score.state === 'gone') return rights(0)
  if (viewer === score.owner) return { ...rights(3), isCollaborator: true, collaboratorType: 'owner' }
  const home = score.owner.organization
  const isColleague = home !== undefined && viewer?.organization === home
  if (home && !home.isOpen && !isColleague) return rights(0)

  // Scores of students cannot be shared outside their organization.
  const granted = viewer && (isColleague || !score.owner.isStudent) ? waysTo(viewer, score, counting) : []
  const level = Math.max(0, ...granted.map((one) => one.level))
  if (score.state === 'trashed' && level < 3) return rights(0)
  const closest = ways.find((way) => granted.some((one) => one.way === way && one.level === level))
  if (closest) return rights(level, closest)

  const isOpenTo = {
    private: false,
    public: true,
    organizationPublic: isColleague,
    privateLink: sharingKey === score.sharingKey,
  }
  return rights(isOpenTo[score.privacy] ? 1 : 0)
}

function waysTo(
  viewer: ModelUser,
  score: ModelScore,
  counting: readonly Way[],
): { way: Way; level: number }[] {
  const isGroup = (to: ModelGrant['to']) => to instanceof Set
  const grantsToViewer = (grants: readonly ModelGrant[]) =>
    grants.filter(({ to }) => (isGroup(to) ? to.has(viewer) : to === viewer))
  const own = grantsToViewer(score.grants).map(
    ({ to, level }) => ({ way: isGroup(to) ? 'group' : 'user', level }) as const,
  )
  const contained = score.places
    .filter(({ addedBy, collection }) => addedBy === score.owner && !collection.isInTrash)
    .flatMap(({ collection }) => [
      ...(collection.owner === viewer ? [3] : []),
      ...grantsToViewer(collection.grants).map(({ level }) => level),
    ])
    // A collection gives write access at most.
    .map((level) => ({ way: 'collection', level: Math.min(level, 2) }) as const)
  const hasStoredKey = score.places.some(
    ({ addedBy, byKey }) => addedBy === viewer && byKey === score.sharingKey,
  )
  const byStoredKey =
    hasStoredKey && score.privacy === 'privateLink' ? [{ way: 'link', level: 1 } as const] : []
  const isInLibrary = counting.includes('library') && isInLibraryFor(viewer, score)
  const inLibrary = isInLibrary ? [{ way: 'library', level: 1 } as const] : []
  return [...own, ...contained, ...byStoredKey, ...inLibrary]
}

/** A library gives access to a score only while the user who attached it can read it in another way. */
function isInLibraryFor(viewer: ModelUser, score: ModelScore): boolean {
  if (viewer.organization === undefined || viewer.isStudent) return false
  const others = ways.filter((way) => way !== 'library')
  return score.attached.some(
    ({ to, by }) => isOpenResource(viewer, to) && rightsBy(others, by, score).aclRead,
  )
}

function isOpenResource(viewer: ModelUser, { library, privacy }: ModelResource): boolean {
  if (library === 'shipped') return true
  const home = 'isOpen' in library ? library : library.organization
  if (!home || privacy === 'private' || ('isStudent' in library && library.isStudent)) return false
  return home === viewer.organization || (privacy === 'public' && home.isOpen)
}

const rights = (level: number, way?: Way): ResourceRights => ({
  aclRead: level > 0,
  aclWrite: level > 1,
  aclAdmin: level > 2,
  isCollaborator: way !== undefined && way !== 'link' && way !== 'library',
  ...((way === 'user' || way === 'group') && { collaboratorType: way }),
})
