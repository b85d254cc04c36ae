import Type from 'typebox'
import { ResourceCollaborator, ResourceCollaboratorCreation } from '../../../contract/sharing.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { addCollaborator, parseShareRequest } from './collaborators.ts'
import { canAdminister, loadScore } from './policy.ts'
import { presentCollaborator } from './present.ts'

export const addScoreCollaborator = operation({
  id: 'addScoreCollaborator',
  tag: 'Score',
  summary: 'Share a score with a user or a group',
  description:
    'The operation can also invite a user by e-mail address, and change the rights of a ' +
    'collaborator. The right to administer includes the right to write, which includes the right to ' +
    'read. An invitation takes effect when a user has the address.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ResourceCollaboratorCreation,
  responses: { 200: ResourceCollaborator },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body }) {
    const shareRequest = parseShareRequest(body)
    const grant = await ctx.transaction(async (tx) => {
      const { score, owner } = await loadScore(tx, actor, params.score, canAdminister)
      if (score.trashed) fail('SCORE_TRASHED')
      return addCollaborator(ctx, tx, actor, { on: 'score', id: score.id, owner }, shareRequest)
    })
    return presentCollaborator(grant, ctx.config.publicUrl)
  },
})
