import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { deleteLike } from './likes.store.ts'
import { canRead, loadScore } from './policy.ts'

export const unlikeScore = operation({
  id: 'unlikeScore',
  tag: 'Score',
  summary: 'Remove the like from a score',
  scopes: ['scores.social', 'scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 204: Empty },
  errors: [404],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { score } = await loadScore(tx, actor, params.score, canRead, query.sharingKey)
      await deleteLike(tx, { user: actor.id, score: score.id })
    })
  },
})
