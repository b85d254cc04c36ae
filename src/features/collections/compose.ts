import type { Collection } from '../../contract/collections.ts'
import type { Actor, Context } from '../../operation.ts'
import { loadUser } from '../users/policy.ts'
import { presentUser } from '../users/present.ts'
import type { LoadedCollection } from './policy.ts'
import { presentCollection } from './present.ts'
import { countScoresIn, countScoresOf } from './store.ts'

/** The actor's collections, with three queries for their owner and how many scores are in them. */
export async function composeCollections(
  ctx: Context,
  actor: Actor,
  collections: readonly LoadedCollection[],
): Promise<Collection[]> {
  const { publicUrl } = ctx.config
  const ids = collections.flatMap((collection) => ('id' in collection ? [collection.id] : []))
  const isVirtual = ids.length < collections.length
  const [user, counts, ofOwner] = await Promise.all([
    loadUser(ctx.db.read, actor, 'me'),
    countScoresIn(ctx.db.read, ids),
    isVirtual ? countScoresOf(ctx.db.read, actor.id) : { all: 0, trashed: 0 },
  ])
  const owner = presentUser(user, publicUrl)
  return collections.map((collection) => {
    const virtualCount = collection.type === 'trash' ? ofOwner.trashed : ofOwner.all
    const count = 'id' in collection ? (counts.get(collection.id) ?? 0) : virtualCount
    return presentCollection(collection, count, owner, publicUrl)
  })
}
