import Type from 'typebox'
import type { Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { Empty, operation } from '../../../operation.ts'
import { recordEvent } from '../../people/events/events.ts'
import { isSubmissionCopy } from '../../teaching/submissions/store.ts'
import { trashDeadline } from './scheduled-deletion.store.ts'
import { deleteGrantOf } from '../sharing/grants.store.ts'
import { canAdminister, canRead, loadScore } from './policy.ts'
import type { ScoreRow } from './store.ts'
import { immediateDeletion, updateDeletionAt, updateTrashed } from './trash.store.ts'
import { deleteFromCollectionsOf, touchCollectionsOf } from './collection-scores.store.ts'

export const deleteScore = operation({
  id: 'deleteScore',
  tag: 'Score',
  summary: 'Delete a score',
  description:
    'An administrator of the score moves it to the trash, where it is deleted permanently after ' +
    'some days, or immediately with `now`. For any other user who has access, the operation ends ' +
    'that access: the score is no longer shared with the user and is removed from the user’s ' +
    'collections. A score that was created for a submission stays as long as the submission.',
  scopes: ['scores'],
  params: Type.Object({ score: Type.String() }),
  query: Type.Object({ now: Type.Optional(Type.Boolean({ default: false })) }),
  responses: { 204: Empty },
  errors: [403, 404, 409],
  async handle({ ctx, actor, params, query }) {
    await ctx.transaction(async (tx) => {
      const { score, rights } = await loadScore(tx, actor, params.score, canRead)
      if (canAdminister(rights)) {
        if (await isSubmissionCopy(tx, score.id)) fail('SCORE_OF_SUBMISSION')
        await moveToTrash(ctx, tx, score, { now: query.now === true, by: actor.id })
      } else if (!(await removeOwnAccess(ctx, tx, score, actor.id))) fail('SCORE_ACCESS_DENIED')
    })
  },
})

async function moveToTrash(
  ctx: Context,
  tx: Transaction,
  { id, owner_id }: ScoreRow,
  { now, by }: { now: boolean; by: string },
): Promise<void> {
  const deletionAt = now ? immediateDeletion : trashDeadline(ctx)
  const isNewInTrash = await updateTrashed(tx, id, { trashed: 1, deletionAt, now: ctx.clock.now() })
  if (isNewInTrash)
    await recordEvent(ctx, tx, { user: owner_id, type: 'score.trashed', actor: by, objects: { score: id } })
  if (!isNewInTrash && now) await updateDeletionAt(tx, id, deletionAt)
  if (now) await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}

/**
 * Removes the user's own grant and takes the score out of the user's own collections. Returns whether there
 * was anything to remove.
 */
async function removeOwnAccess(
  ctx: Context,
  tx: Transaction,
  { id }: ScoreRow,
  user: string,
): Promise<boolean> {
  const wasGranted = await deleteGrantOf(tx, { on: 'score', id }, { user })
  await touchCollectionsOf(tx, id, { now: ctx.clock.now(), owner: user })
  const wasInCollection = await deleteFromCollectionsOf(tx, user, id)
  return wasGranted || wasInCollection
}
