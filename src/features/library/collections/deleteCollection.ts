import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { trashDeadline } from '../scores/scheduled-deletion.store.ts'
import { deleteGrantOf } from '../sharing/grants.store.ts'
import { canSee, loadCollection, resolveCollection } from './policy.ts'
import { updateDeletionAt } from './store.ts'

export const deleteCollection = operation({
  id: 'deleteCollection',
  tag: 'Collection',
  summary: 'Delete a collection',
  description:
    'The collection goes into the trash. It cannot be restored, and is deleted permanently after ' +
    'some days. Until then its owner can still see it. The scores stay in their owners’ accounts, ' +
    'but the collection no longer shares them. A collaborator who deletes a collection leaves it.',
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String({ description: 'An id, or `app`.' }) }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    const id = await resolveCollection(ctx, actor, params.collection)
    await ctx.transaction(async (tx) => {
      const collection = await loadCollection(tx, actor, id, canSee)
      if (!('id' in collection)) fail('COLLECTION_ACCESS_DENIED')
      if (collection.user_id === actor.id) return updateDeletionAt(tx, id, trashDeadline(ctx))
      const hasLeft = await deleteGrantOf(tx, { on: 'collection', id }, { user: actor.id })
      if (!hasLeft) fail('COLLECTION_ACCESS_DENIED')
    })
  },
})
