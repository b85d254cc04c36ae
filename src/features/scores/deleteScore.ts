import Type from 'typebox'
import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { type Context, Empty, operation } from '../../operation.ts'
import { isMadeForWork } from '../submissions/store.ts'
import { endOfTrash } from './due.ts'
import { deleteGrantOf } from './grants.ts'
import { canAdminister, canRead, loadScore } from './policy.ts'
import { atOnce, deleteFromCollectionsOf, type ScoreRow, updateDeletionAt, updateTrashed } from './store.ts'

export const deleteScore = operation({
  id: 'deleteScore',
  tag: 'Score',
  summary: 'Delete a score',
  description:
    'By who administers it: it goes into the trash, and is deleted for good after some days; with `now`, at once. Anyone ' +
    'else who has it lets it go: it is not shared with them any more, and is taken out of their own collections. What was ' +
    'made for a submission stays as long as that.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ now: Type.Optional(Type.Boolean({ default: false })) }),
  responses: { 204: Empty },
  errors: [403, 404, 409],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { score, rights } = await loadScore(tx, actor, params.score, canRead)
      if (canAdminister(rights)) {
        if (await isMadeForWork(tx, score.id)) fail('SCORE_OF_SUBMISSION')
        await throwAway(ctx, tx, score, query.now === true)
      } else if (!(await letGo(tx, score, actor.id))) fail('SCORE_ACCESS_DENIED')
    })
  },
})

async function throwAway(ctx: Context, tx: Transaction, { id }: ScoreRow, now: boolean): Promise<void> {
  const deletionAt = now ? atOnce : endOfTrash(ctx)
  const wasOutside = await updateTrashed(tx, id, 1, deletionAt)
  if (!wasOutside && now) await updateDeletionAt(tx, id, deletionAt)
  if (now) await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}

/** Whether the user had anything to let go: a grant, or the score in collections of their own. */
async function letGo(tx: Transaction, { id }: ScoreRow, user: string): Promise<boolean> {
  const wasGranted = await deleteGrantOf(tx, { on: 'score', id }, { user })
  const wasKept = await deleteFromCollectionsOf(tx, user, id)
  return wasGranted || wasKept
}
