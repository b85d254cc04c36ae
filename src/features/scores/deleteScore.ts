import Type from 'typebox'
import { Empty, operation } from '../../operation.ts'
import { canAdminister, loadScore } from './policy.ts'
import { atOnce, updateDeletionAt, updateTrashed } from './store.ts'

const dayMilliseconds = 24 * 60 * 60 * 1000

export const deleteScore = operation({
  id: 'deleteScore',
  tag: 'Score',
  summary: 'Delete a score',
  description: 'It goes into the trash, and is deleted for good after some days; with `now`, at once.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ now: Type.Optional(Type.Boolean({ default: false })) }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { score } = await loadScore(tx, actor, params.score, canAdminister)
      const deletionAt = query.now ? atOnce : ctx.clock.now() + ctx.config.trashDays * dayMilliseconds
      const wasOutside = await updateTrashed(tx, score.id, 1, deletionAt)
      if (!wasOutside && query.now) await updateDeletionAt(tx, score.id, deletionAt)
      if (query.now) await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
    })
  },
})
