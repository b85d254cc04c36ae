import type { Collection } from '../../../contract/collections.ts'
import type { ResourceCollaborator, ResourceRights } from '../../../contract/sharing.ts'
import type { UserPublic } from '../../../contract/users.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { textsIn } from '../../../texts/texts.ts'
import { capabilitiesOf, isTrashed, type LoadedCollection, type VirtualCollection } from './policy.ts'

/** Returns the title of a virtual collection in the language of a request (BCP 47). */
const virtualTitle = ({ type }: VirtualCollection, locale: string): string =>
  textsIn(locale.split('-', 1)[0] ?? '').text(`virtualCollection.${type}`)

/** The parts of the response that do not come from the collection's own row. */
export interface CollectionRelations {
  publicUrl: string
  /** The language of the request. */
  locale: string
  owner: UserPublic
  collaborators: ResourceCollaborator[]
  scoresCount: number
  /** The ids of the collections in the trash. Set for the trash only. */
  collections: string[] | undefined
}

/**
 * Builds the response for a viewer with these rights. A virtual collection has the creation date of its
 * owner's account.
 */
export function presentCollection(
  collection: LoadedCollection,
  rights: ResourceRights,
  { publicUrl, locale, owner, collaborators, scoresCount, collections }: CollectionRelations,
): Collection {
  const { type } = collection
  const stored = 'id' in collection ? collection : undefined
  const id = stored?.id ?? type
  return {
    id,
    title: 'title' in collection ? collection.title : virtualTitle(collection, locale),
    htmlUrl: `${publicUrl}/collections/${id}`,
    type,
    labelKey: labelKeyOf(type, owner),
    privacy: 'private',
    app: stored?.app && stored.app_name ? { id: stored.app, name: stored.app_name } : undefined,
    creationDate: stored ? dateTime(stored.created_at) : (owner.registrationDate ?? dateTime(0)),
    modificationDate: stored && dateTime(stored.modified_at),
    user: owner,
    organization: owner.organization,
    rights,
    collaborators,
    isPinned: stored && stored.is_pinned === 1,
    contents: { scoresCount },
    capabilities: isTrashed(collection) ? noCapabilities : capabilitiesOf(collection, rights),
    collections,
  }
}

function labelKeyOf(type: Collection['type'], { organization }: UserPublic): string | undefined {
  if (type === 'regular') return organization ? 'collection' : 'playlist'
  if (type === 'collaborations') return organization ? 'shared-scores' : 'collaboration'
  return undefined
}

/** A collection in the trash is read-only. */
const noCapabilities = {
  canEdit: false,
  canShare: false,
  canDelete: false,
  canAddScores: false,
  canDeleteScores: false,
}
