import { Collection, CollectionCreation } from '../../../contract/collections.ts'
import { operation } from '../../../operation.ts'
import { composeCollection } from './compose.ts'
import { checkTitle } from '../scores/contents.ts'
import { canSee, loadCollection, newCollection } from './policy.ts'
import { insertCollection } from './store.ts'

export const createCollection = operation({
  id: 'createCollection',
  tag: 'Collection',
  summary: 'Create a collection',
  description: 'The new collection is empty and private. Several collections can have the same title.',
  scopes: ['collections'],
  body: CollectionCreation,
  responses: { 200: Collection },
  errors: [400],
  async handle({ ctx, actor, body: { title = '' }, request }) {
    checkTitle(title)
    const row = newCollection(ctx, { user_id: actor.id, type: 'regular', app: null, title })
    await ctx.transaction((tx) => insertCollection(tx, row))
    return composeCollection(
      ctx,
      actor,
      await loadCollection(ctx.db.read, actor, row.id, canSee),
      request.locale(),
    )
  },
})
