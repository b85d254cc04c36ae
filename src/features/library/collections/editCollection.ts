import Type from 'typebox'
import { Collection, CollectionModification } from '../../../contract/collections.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { operation } from '../../../operation.ts'
import { composeCollection } from './compose.ts'
import { checkTitle } from '../scores/contents.ts'
import { canEdit, checkCanPin, loadStoredCollection, resolveCollection } from './policy.ts'
import { type CollectionChange, updateCollection } from './store.ts'

export const editCollection = operation({
  id: 'editCollection',
  tag: 'Collection',
  summary: 'Update a collection',
  description: 'Changes the fields in the body. The caller needs the capability `canEdit`.',
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String({ description: 'An id, or `app`.' }) }),
  body: CollectionModification,
  responses: { 200: Collection },
  errors: [403, 404],
  async handle({ ctx, actor, params, body, request }) {
    checkTitle(body.title)
    const id = await resolveCollection(ctx, actor, params.collection)
    const edited = await ctx.transaction(async (tx) => {
      const collection = await loadStoredCollection(tx, actor, id, canEdit)
      const { title = collection.title, isPinned = collection.is_pinned === 1 } = body
      if (body.isPinned !== undefined) checkCanPin(collection, actor)
      const change: CollectionChange = {
        title,
        title_key: sortKey(title),
        is_pinned: isPinned ? 1 : 0,
        modified_at: ctx.clock.now(),
      }
      await updateCollection(tx, collection.id, change)
      return { ...collection, ...change }
    })
    return composeCollection(ctx, actor, edited, request.locale())
  },
})
