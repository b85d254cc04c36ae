import { job } from '../../../platform/queue/job.ts'
import { insertNewScore } from '../collections/new-score.ts'
import { findTask, releaseSource, updateImportedScore } from '../tasks/store.ts'
import { findUser } from '../../people/users/store.ts'
import { contentsOfFile, storingContents, titleOf } from './contents.ts'

/** Imports a file that was too large to import during the request. */
export const importScoreJob = job({
  kind: 'import-score',
  maxAttempts: 3,
  async handle(ctx, { task: id, app, title, privacy, collection, filename }, { signal, report }) {
    const task = await findTask(ctx.db.read, id)
    // A previous attempt may have imported the file and stopped before it reported success.
    if (!task?.source_blob || task.score_id) return
    report(5, 'Reading the file')
    const bytes = await ctx.blobs.read(ctx.db.read, task.source_blob)
    const contents = await contentsOfFile(ctx, bytes, {
      caller: task.user_id,
      signal,
      isPatient: true,
    })
    report(90, 'Saving the score')
    const newScore = { title: titleOf(title, contents.facts.title, filename), privacy, collection }
    try {
      await storingContents(ctx, contents, () =>
        ctx.transaction(async (tx) => {
          const user = await findUser(tx, { id: task.user_id })
          const owner = { id: task.user_id, organization: user?.organization_id ?? undefined, app }
          // First, because the quota need not have room for the file and the score at once.
          await releaseSource(ctx, tx, task)
          const { score, revision } = await insertNewScore(ctx, tx, owner, contents, newScore)
          const isFirst = await updateImportedScore(tx, id, { score, revision: revision.id })
          // The exception rolls back the transaction and with it the duplicate score.
          if (!isFirst) throw new Error('Another run has imported the file')
        }),
      )
    } catch (error) {
      // A run that lost its lease may still be running, and may have finished first.
      const now = await findTask(ctx.db.read, id)
      if (now && !now.score_id) throw error
    }
  },
})
