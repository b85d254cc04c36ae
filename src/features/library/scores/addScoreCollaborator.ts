import Type from 'typebox'
import { ResourceCollaborator, ResourceCollaboratorCreation } from '../../../contract/sharing.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { acceptedToken, acceptInvitation, addCollaborator, parseShareRequest } from './collaborators.ts'
import { canAdminister, canRead, loadScore } from './policy.ts'
import { presentAdded } from './present.ts'

export const addScoreCollaborator = operation({
  id: 'addScoreCollaborator',
  tag: 'Score',
  summary: 'Share a score with a user or a group',
  description:
    'The operation can also invite a user by e-mail address, and change the rights of a ' +
    'collaborator. The right to administer includes the right to write, which includes the right to ' +
    'read. An invitation takes effect when a user has the address, or when any user accepts it by ' +
    'sending its `userToken` alone. The response to the invitation shows this token once.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ResourceCollaboratorCreation,
  returnsSecret: true,
  responses: { 200: ResourceCollaborator },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body }) {
    const userToken = acceptedToken(body)
    const shareRequest = userToken === undefined ? parseShareRequest(body) : undefined
    const added = await ctx.transaction(async (tx) => {
      if (!shareRequest) {
        const target = { on: 'score', id: params.score } as const
        const accepted = await acceptInvitation(ctx, tx, actor, target, userToken ?? '')
        const { score } = await loadScore(tx, actor, params.score, canRead)
        if (score.trashed) fail('SCORE_TRASHED')
        return accepted ?? fail('INVITATION_NOT_FOUND', { param: 'userToken' })
      }
      const { score, owner } = await loadScore(tx, actor, params.score, canAdminister)
      if (score.trashed) fail('SCORE_TRASHED')
      return addCollaborator(ctx, tx, actor, { on: 'score', id: score.id, owner }, shareRequest)
    })
    return presentAdded(added, ctx.config.publicUrl)
  },
})
