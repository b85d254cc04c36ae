import Type from 'typebox'
import { ResourceCollaborator } from '../../../contract/sharing.ts'
import { operation } from '../../../operation.ts'
import { composeCollection } from './compose.ts'
import { canSee, loadCollection, resolveCollection } from './policy.ts'

export const listCollectionCollaborators = operation({
  id: 'listCollectionCollaborators',
  tag: 'Collection',
  summary: 'List the collaborators of a collection',
  description: 'The owner comes first, then the others in the order in which they were added.',
  scopes: ['collections', 'collections.readonly'],
  params: Type.Object({ collection: Type.String() }),
  responses: { 200: Type.Array(ResourceCollaborator) },
  errors: [403, 404],
  async handle({ ctx, actor, params, request }) {
    const id = await resolveCollection(ctx, actor, params.collection)
    const collection = await loadCollection(ctx.db.read, actor, id, canSee)
    return (await composeCollection(ctx, actor, collection, request.locale())).collaborators ?? []
  },
})
