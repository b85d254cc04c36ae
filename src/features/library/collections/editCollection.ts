import Type from 'typebox'
import { Collection, CollectionModification } from '../../../contract/collections.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { operation } from '../../../operation.ts'
import { composeCollection } from './compose.ts'
import { checkTitle } from '../scores/contents.ts'
import { canEdit, loadStoredCollection, resolveCollection } from './policy.ts'
import { updateTitle } from './store.ts'

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
      const { title = collection.title } = body
      const change = { title, title_key: sortKey(title), modified_at: ctx.clock.now() }
      await updateTitle(tx, collection.id, change)
      return { ...collection, ...change }
    })
    return composeCollection(ctx, actor, edited, request.locale())
  },
})
