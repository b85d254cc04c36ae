import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { removeCollaborator } from '../scores/collaborators.ts'
import { canSee, loadStoredCollection, rightsOn, sharedResourceOf } from './policy.ts'

export const removeCollectionCollaborator = operation({
  id: 'removeCollectionCollaborator',
  tag: 'Collection',
  summary: 'Stop sharing a collection with a user or a group',
  description:
    'Administrators of the collection can remove any collaborator. A collaborator can leave. For an ' +
    'invited address, the invitation is withdrawn. Scores that the collaborator added stay in the ' +
    'collection, and the collaborator can still remove them.',
  scopes: ['collections'],
  params: Type.Object({
    collection: Type.String(),
    collaborator: Type.String({
      description: 'The id of the permission, of its user or of its group, or `me`.',
    }),
  }),
  emptyForm: true,
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const collection = await loadStoredCollection(tx, actor, params.collection, canSee)
      await removeCollaborator(
        tx,
        actor,
        sharedResourceOf(collection),
        rightsOn(collection, actor),
        params.collaborator,
      )
    })
  },
})
