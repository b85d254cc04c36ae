import type { Collection } from '../../contract/collections.ts'
import type { Actor, Context } from '../../operation.ts'
import { loadUser } from '../users/policy.ts'
import { presentUser } from '../users/present.ts'
import type { LoadedCollection } from './policy.ts'
import { presentCollection } from './present.ts'

/** The actor's collections, with one query for their owner. */
export async function composeCollections(
  ctx: Context,
  actor: Actor,
  collections: readonly LoadedCollection[],
): Promise<Collection[]> {
  const owner = presentUser(await loadUser(ctx.db.read, actor, 'me'), ctx.config.publicUrl)
  return collections.map((collection) => presentCollection(collection, owner, ctx.config.publicUrl))
}
