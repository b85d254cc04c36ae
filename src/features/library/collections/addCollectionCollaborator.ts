import Type from 'typebox'
import { ResourceCollaborator, ResourceCollaboratorCreation } from '../../../contract/sharing.ts'
import { operation } from '../../../operation.ts'
import { addCollaborator, parseShareRequest } from '../scores/collaborators.ts'
import { presentCollaborator } from '../scores/present.ts'
import { canShare, loadStoredCollection, sharedResourceOf } from './policy.ts'

export const addCollectionCollaborator = operation({
  id: 'addCollectionCollaborator',
  tag: 'Collection',
  summary: 'Share a collection with a user or a group',
  description:
    'The caller needs the capability `canShare`. The operation can also invite a user by e-mail ' +
    'address, and change the rights of a collaborator. A writer can add scores, remove scores and ' +
    'rename the collection. An administrator can also share it. The collection shares only the ' +
    'scores that were added by their owners: readers of the collection can read these scores, ' +
    'writers and administrators can change them.',
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String() }),
  body: ResourceCollaboratorCreation,
  responses: { 200: ResourceCollaborator },
  errors: [403, 404],
  async handle({ ctx, actor, params, body }) {
    const shareRequest = parseShareRequest(body)
    const grant = await ctx.transaction(async (tx) => {
      const collection = await loadStoredCollection(tx, actor, params.collection, canShare)
      return addCollaborator(ctx, tx, actor, sharedResourceOf(collection), shareRequest)
    })
    return presentCollaborator(grant, ctx.config.publicUrl)
  },
})
