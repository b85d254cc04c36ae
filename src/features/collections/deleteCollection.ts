import Type from 'typebox'
import { fail } from '../../errors.ts'
import { Empty, operation } from '../../operation.ts'
import { endOfTrash } from '../scores/due.ts'
import { deleteGrantOf } from '../scores/grants.ts'
import { canSee, loadCollection, resolveCollection } from './policy.ts'
import { updateDeletionAt } from './store.ts'

export const deleteCollection = operation({
  id: 'deleteCollection',
  tag: 'Collection',
  summary: 'Delete a collection',
  description:
    'By its owner: it goes into the trash, from where it is not got back, and is deleted for good after some days. Until ' +
    'then its owner can see it there. Its scores stay in the account, but are not shared by it any more. A collaborator ' +
    'who deletes a collection leaves it.',
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String({ description: 'An id, or `app`.' }) }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    const id = await resolveCollection(ctx, actor, params.collection)
    await ctx.transaction(async (tx) => {
      const collection = await loadCollection(tx, actor, id, canSee)
      if (!('id' in collection)) fail('COLLECTION_ACCESS_DENIED')
      if (collection.user_id === actor.id) return updateDeletionAt(tx, id, endOfTrash(ctx))
      const hasLeft = await deleteGrantOf(tx, { on: 'collection', id }, { user: actor.id })
      if (!hasLeft) fail('COLLECTION_ACCESS_DENIED')
    })
  },
})
