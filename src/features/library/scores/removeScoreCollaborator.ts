import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { removeCollaborator } from './collaborators.ts'
import { canRead, loadScore } from './policy.ts'

export const removeScoreCollaborator = operation({
  id: 'removeScoreCollaborator',
  tag: 'Score',
  summary: 'Stop sharing a score with a user or a group',
  description:
    'Administrators of the score can remove any collaborator. A collaborator can leave. For an ' +
    'invited address, the invitation is withdrawn.',
  scopes: ['scores'],
  params: Type.Object({
    score: Type.String(),
    collaborator: Type.String({
      description: 'The id of the permission, of its user or of its group, or `me`.',
    }),
  }),
  query: Type.Object({ eventProperties: Type.Optional(Type.String({ description: 'Ignored.' })) }),
  emptyForm: true,
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { score, owner, rights } = await loadScore(tx, actor, params.score, canRead)
      await removeCollaborator(tx, actor, { on: 'score', id: score.id, owner }, rights, params.collaborator)
    })
  },
})
