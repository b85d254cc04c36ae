import type { ResourceRights } from '../../../contract/sharing.ts'
import type { AccessLevel } from '../../../platform/db/tables.ts'

/** The ways in which a user who does not own a score can have access to it, the most direct last. */
const ways = ['library', 'link', 'collection', 'group', 'user'] as const
export type Way = (typeof ways)[number]

/** The strongest access of a user who does not own the score or collection. */
export interface Access {
  level: AccessLevel
  through: Way
}

/** The number that stands for a way in a query. */
export const wayNumber = (way: Way): number => ways.indexOf(way)

/**
 * Combines level and way into a number for comparisons in a query. The higher level wins, then the more
 * direct way.
 */
export const rankOf = (level: number, way: number): number => level * ways.length + way

/** Converts a rank back to an access. Returns undefined for null. */
export function accessOfRank(rank: number | null): Access | undefined {
  if (rank === null) return undefined
  return { level: Math.floor(rank / ways.length) as AccessLevel, through: ways[rank % ways.length] as Way }
}

/** Returns the strongest access of the rows, or undefined if there are none. `way` is a `wayNumber`. */
export function strongest(rows: readonly { level: number; way: number }[]): Access | undefined {
  return accessOfRank(rows.length > 0 ? Math.max(...rows.map(({ level, way }) => rankOf(level, way))) : null)
}

export const noRights: ResourceRights = {
  aclRead: false,
  aclWrite: false,
  aclAdmin: false,
  isCollaborator: false,
}

export const ownersRights: ResourceRights = {
  aclRead: true,
  aclWrite: true,
  aclAdmin: true,
  isCollaborator: true,
  collaboratorType: 'owner',
}

/** Returns the rights that a level includes. */
export function rightsAt(level: AccessLevel): Pick<ResourceRights, 'aclRead' | 'aclWrite' | 'aclAdmin'> {
  return { aclRead: true, aclWrite: level >= 2, aclAdmin: level >= 3 }
}

/**
 * Returns the rights that an access gives. A user with access only by a link or a library is not a
 * collaborator.
 */
export function rightsThrough({ level, through }: Access): ResourceRights {
  const isCollaborator = through !== 'link' && through !== 'library'
  const collaboratorType = through === 'user' || through === 'group' ? through : undefined
  return { ...rightsAt(level), isCollaborator, collaboratorType }
}
