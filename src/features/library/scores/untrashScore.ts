import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { recordEvent } from '../../people/events/events.ts'
import { canAdminister, loadScore } from './policy.ts'
import { updateTrashed } from './trash.store.ts'

export const untrashScore = operation({
  id: 'untrashScore',
  tag: 'Score',
  summary: 'Restore a score from the trash',
  description:
    'Requires administration rights for the score. The score returns to all collections that ' +
    'contained it, for all users who could see it.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { score } = await loadScore(tx, actor, params.score, canAdminister)
      const restored = { trashed: 0, deletionAt: null, now: ctx.clock.now() } as const
      if (!(await updateTrashed(tx, score.id, restored))) fail('SCORE_NOT_TRASHED')
      await recordEvent(ctx, tx, {
        user: score.owner_id,
        type: 'score.restored',
        actor: actor.id,
        objects: { score: score.id },
      })
    })
  },
})
