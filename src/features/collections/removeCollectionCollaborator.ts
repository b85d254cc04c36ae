import Type from 'typebox'
import { Empty, operation } from '../../operation.ts'
import { removeCollaborator } from '../scores/collaborators.ts'
import { canSee, loadKeptCollection, rightsOn, sharedOf } from './policy.ts'

export const removeCollectionCollaborator = operation({
  id: 'removeCollectionCollaborator',
  tag: 'Collection',
  summary: 'Stop sharing a collection with a user or a group',
  description:
    'For who may administer the collection, and for a collaborator to leave. An invitation is withdrawn. What they have ' +
    'put there stays there, and they may still take it out.',
  scopes: ['collections'],
  params: Type.Object({
    collection: Type.String(),
    collaborator: Type.String({ description: 'The id of the permission, of its user or of its group, or `me`.' }),
  }),
  emptyForm: true,
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const collection = await loadKeptCollection(tx, actor, params.collection, canSee)
      await removeCollaborator(tx, actor, sharedOf(collection), rightsOn(collection, actor), params.collaborator)
    })
  },
})
