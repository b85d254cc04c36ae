import Type from 'typebox'
import { ResourceCollaborator, ResourceCollaboratorCreation } from '../../contract/sharing.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { addCollaborator, givingOf } from './collaborators.ts'
import { canAdminister, loadScore } from './policy.ts'
import { presentCollaborator } from './present.ts'

export const addScoreCollaborator = operation({
  id: 'addScoreCollaborator',
  tag: 'Score',
  summary: 'Share a score with a user or a group',
  description:
    'Or invite somebody by an address, and give a collaborator other rights. The right to administer includes that to ' +
    'write, and that one to read. An invitation waits until the address is that of a user.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  body: ResourceCollaboratorCreation,
  responses: { 200: ResourceCollaborator },
  errors: [402, 403, 404],
  async handle({ ctx, actor, params, body }) {
    const giving = givingOf(body)
    const grant = await ctx.transaction(async (tx) => {
      const { score, owner } = await loadScore(tx, actor, params.score, canAdminister)
      if (score.trashed) fail('SCORE_TRASHED')
      return addCollaborator(ctx, tx, actor, { on: 'score', id: score.id, owner }, giving)
    })
    return presentCollaborator(grant, ctx.config.publicUrl)
  },
})
