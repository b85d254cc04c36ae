import Type from 'typebox'
import { ResourceCollaborator, ResourceCollaboratorCreation } from '../../../contract/sharing.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import {
  acceptedToken,
  acceptInvitation,
  addCollaborator,
  parseShareRequest,
} from '../scores/collaborators.ts'
import { presentAdded } from '../scores/present.ts'
import { canSee, canShare, loadStoredCollection, sharedResourceOf } from './policy.ts'

export const addCollectionCollaborator = operation({
  id: 'addCollectionCollaborator',
  tag: 'Collection',
  summary: 'Share a collection with a user or a group',
  description:
    'The caller needs the capability `canShare`. The operation can also invite a user by e-mail ' +
    'address, and change the rights of a collaborator. A writer can add scores, remove scores and ' +
    'rename the collection. An administrator can also share it. The collection shares only the ' +
    'scores that were added by their owners: readers of the collection can read these scores, ' +
    'writers and administrators can change them. An invitation can also be accepted by sending its ' +
    '`userToken` alone. The response to the invitation shows this token once.',
  scopes: ['collections'],
  params: Type.Object({ collection: Type.String() }),
  body: ResourceCollaboratorCreation,
  returnsSecret: true,
  responses: { 200: ResourceCollaborator },
  errors: [403, 404],
  async handle({ ctx, actor, params, body }) {
    const userToken = acceptedToken(body)
    const shareRequest = userToken === undefined ? parseShareRequest(body) : undefined
    const added = await ctx.transaction(async (tx) => {
      if (!shareRequest) {
        const target = { on: 'collection', id: params.collection } as const
        const accepted = await acceptInvitation(ctx, tx, actor, target, userToken ?? '')
        await loadStoredCollection(tx, actor, params.collection, canSee)
        return accepted ?? fail('INVITATION_NOT_FOUND', { param: 'userToken' })
      }
      const collection = await loadStoredCollection(tx, actor, params.collection, canShare)
      return addCollaborator(ctx, tx, actor, sharedResourceOf(collection), shareRequest)
    })
    return presentAdded(added, ctx.config.publicUrl)
  },
})
