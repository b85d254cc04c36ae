import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { saveLike } from './likes.store.ts'
import { canRead, loadScore } from './policy.ts'

export const likeScore = operation({
  id: 'likeScore',
  tag: 'Score',
  summary: 'Like a score',
  description: 'Has no effect if the user already likes the score.',
  scopes: ['scores.social', 'scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ sharingKey: Type.Optional(Type.String()) }),
  responses: { 204: Empty },
  errors: [404],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { score } = await loadScore(tx, actor, params.score, canRead, query.sharingKey)
      if (score.trashed) fail('SCORE_TRASHED')
      await saveLike(tx, { user_id: actor.id, score_id: score.id, created_at: ctx.clock.now() })
    })
  },
})
