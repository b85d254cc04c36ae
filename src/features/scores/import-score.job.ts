import { job } from '../../jobs/job.ts'
import { insertNewScore } from '../collections/new-score.ts'
import { findTask, updateTaskResult } from '../tasks/store.ts'
import { contentsOfFile, titleOf } from './contents.ts'

/** Makes the score of a file that was too large to import while its sender waited. */
export const importScoreJob = job({
  kind: 'import-score',
  maxAttempts: 3,
  async handle(ctx, { task: id, app, title, privacy, collection, filename }, { report }) {
    const task = await findTask(ctx.db.read, id)
    // A try before this one may have come to its end and died before saying so.
    if (!task?.source_blob || task.score_id) return
    report(5, 'Reading the file')
    const contents = await contentsOfFile(ctx, await ctx.blobs.read(ctx.db.read, task.source_blob))
    report(90, 'Saving the score')
    const asked = { title: titleOf(title, contents.facts.title, filename), privacy, collection }
    await insertNewScore(ctx, { id: task.user_id, app }, contents, asked, (tx, { score, revision }) =>
      updateTaskResult(tx, id, { score_id: score, revision_id: revision.id, source_blob: null }),
    )
  },
})
