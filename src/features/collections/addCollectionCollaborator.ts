import Type from 'typebox'
import { ResourceCollaborator, ResourceCollaboratorCreation } from '../../contract/sharing.ts'
import { operation } from '../../operation.ts'
import { addCollaborator, givingOf } from '../scores/collaborators.ts'
import { presentCollaborator } from '../scores/present.ts'
import { canShare, loadKeptCollection, sharedOf } from './policy.ts'

export const addCollectionCollaborator = operation({
  id: 'addCollectionCollaborator',
  tag: 'Collection',
  summary: 'Share a collection with a user or a group',
  description:
    'Or invite somebody by an address, and give a collaborator other rights. It takes the capability `canShare`. Who may ' +
    'write may add scores, take them out and rename the collection; who may administer may share it as well. Of the ' +
    'scores that their owners have put into it, readers may read and all others may write; it shares no other score.',
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String() }),
  body: ResourceCollaboratorCreation,
  responses: { 200: ResourceCollaborator },
  errors: [403, 404],
  async handle({ ctx, actor, params, body }) {
    const giving = givingOf(body)
    const grant = await ctx.transaction(async (tx) => {
      const collection = await loadKeptCollection(tx, actor, params.collection, canShare)
      return addCollaborator(ctx, tx, actor, sharedOf(collection), giving)
    })
    return presentCollaborator(grant, ctx.config.publicUrl)
  },
})
