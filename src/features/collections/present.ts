import type { Collection } from '../../contract/collections.ts'
import type { UserPublic } from '../../contract/users.ts'
import { dateTime } from '../../lib/date-time.ts'
import { capabilitiesOf, type LoadedCollection } from './policy.ts'

const virtualTitles = { root: 'My library', allScores: 'All scores', trash: 'Trash' } as const

/** A collection as its owner sees it. Those that no row stands for are as old as their owner's account. */
export function presentCollection(
  collection: LoadedCollection,
  scoresCount: number,
  owner: UserPublic,
  publicUrl: string,
): Collection {
  const { type } = collection
  const kept = 'id' in collection ? collection : undefined
  const id = kept?.id ?? type
  return {
    id,
    title: kept?.title ?? virtualTitles[type as keyof typeof virtualTitles],
    htmlUrl: `${publicUrl}/collections/${id}`,
    type,
    labelKey: type === 'regular' ? (owner.organization ? 'collection' : 'playlist') : undefined,
    privacy: 'private',
    app: kept?.app && kept.app_name ? { id: kept.app, name: kept.app_name } : undefined,
    creationDate: kept ? dateTime(kept.created_at) : (owner.registrationDate ?? dateTime(0)),
    modificationDate: kept && dateTime(kept.modified_at),
    user: owner,
    organization: owner.organization,
    rights: { aclRead: true, aclWrite: true, aclAdmin: true, isCollaborator: true, collaboratorType: 'owner' },
    collaborators: [],
    contents: { scoresCount },
    capabilities: capabilitiesOf(type),
    collections: type === 'trash' ? [] : undefined,
  }
}
