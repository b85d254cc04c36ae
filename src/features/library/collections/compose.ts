import type { Collection } from '../../../contract/collections.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { listGrants } from '../sharing/grants.store.ts'
import { countListedScores } from '../scores/lists.store.ts'
import { presentCollaborators } from '../scores/present.ts'
import { listOwners } from '../scores/store.ts'
import { presentUser } from '../../people/users/present.ts'
import { type LoadedCollection, scoreListOf, rightsOn, type VirtualCollection } from './policy.ts'
import { presentCollection } from './present.ts'
import { countScoresIn, listTrashedIds } from './store.ts'

/**
 * Builds the responses for collections as the actor may see them. This takes four queries for any number of
 * collections, and one more for each virtual collection.
 */
export async function composeCollections(
  ctx: Context,
  actor: Actor,
  collections: readonly LoadedCollection[],
  locale: string,
): Promise<Collection[]> {
  const { publicUrl } = ctx.config
  const stored = collections.filter((collection) => 'id' in collection)
  const virtual = collections.filter((collection): collection is VirtualCollection => !('id' in collection))
  const shared = stored.filter(({ grants }) => grants > 0)
  const [owners, counts, virtualCounts, grants, trashed] = await Promise.all([
    listOwners(ctx.db.read, collections.map(ownerOf)),
    countScoresIn(ctx.db.read, stored.map(idOf)),
    Promise.all(
      virtual.map((collection) => countListedScores(ctx.db.read, actor, scoreListOf(collection, actor.id))),
    ),
    listGrants(ctx.db.read, 'collection', shared.map(idOf)),
    collections.some(({ type }) => type === 'trash') ? listTrashedIds(ctx.db.read, actor.id) : undefined,
  ])
  return collections.flatMap((collection) => {
    const owner = owners.get(ownerOf(collection))
    // The owner was deleted between the two queries.
    if (!owner) return []
    const rights = rightsOn(collection, actor)
    const isStored = 'id' in collection
    const user = presentUser(owner, publicUrl)
    return presentCollection(collection, rights, {
      publicUrl,
      locale,
      owner: user,
      collaborators: isStored
        ? presentCollaborators(
            { on: 'collection', ...collection },
            user,
            grants.get(collection.id) ?? [],
            rights,
            actor,
            publicUrl,
          )
        : [],
      scoresCount: (isStored ? counts.get(collection.id) : virtualCounts[virtual.indexOf(collection)]) ?? 0,
      collections: collection.type === 'trash' ? trashed : undefined,
    })
  })

  function ownerOf(collection: LoadedCollection): string {
    return 'id' in collection ? collection.user_id : actor.id
  }
}

/** Builds the response for one collection as the actor may see it. */
export async function composeCollection(
  ctx: Context,
  actor: Actor,
  collection: LoadedCollection,
  locale: string,
): Promise<Collection> {
  const [presented] = await composeCollections(ctx, actor, [collection], locale)
  return presented as Collection
}

const idOf = ({ id }: { id: string }) => id
