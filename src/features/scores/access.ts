import type { ResourceRights } from '../../contract/sharing.ts'
import type { AccessLevel } from '../../db/tables.ts'

/** By what somebody who does not own a score has access to it, the closest last. */
const ways = ['library', 'link', 'collection', 'group', 'user'] as const
export type Way = (typeof ways)[number]

/** What somebody who does not own a score may do with it: the strongest of all that was given. */
export interface Access {
  level: AccessLevel
  through: Way
}

/** The number of a way in a query. */
export const wayNumber = (way: Way): number => ways.indexOf(way)

/** How a query says which access is the strongest: by level, and at the same level by the closest way. */
export const rankOf = (level: number, way: number): number => level * ways.length + way

/** The access that a rank stands for; undefined for none. */
export function accessOfRank(rank: number | null): Access | undefined {
  if (rank === null) return undefined
  return { level: Math.floor(rank / ways.length) as AccessLevel, through: ways[rank % ways.length] as Way }
}

/** The strongest access of those that were given, as `wayNumber` has their ways. */
export function strongest(given: readonly { level: number; way: number }[]): Access | undefined {
  return accessOfRank(given.length > 0 ? Math.max(...given.map(({ level, way }) => rankOf(level, way))) : null)
}

export const noRights: ResourceRights = { aclRead: false, aclWrite: false, aclAdmin: false, isCollaborator: false }

export const ownersRights: ResourceRights = {
  aclRead: true,
  aclWrite: true,
  aclAdmin: true,
  isCollaborator: true,
  collaboratorType: 'owner',
}

/** What a level allows. */
export function rightsAt(level: AccessLevel): Pick<ResourceRights, 'aclRead' | 'aclWrite' | 'aclAdmin'> {
  return { aclRead: true, aclWrite: level >= 2, aclAdmin: level >= 3 }
}

/** The rights that an access gives. Whoever was only let in by a link, or by a library, is no collaborator. */
export function rightsThrough({ level, through }: Access): ResourceRights {
  const isCollaborator = through !== 'link' && through !== 'library'
  const collaboratorType = through === 'user' || through === 'group' ? through : undefined
  return { ...rightsAt(level), isCollaborator, collaboratorType }
}
