import { job } from '../../jobs/job.ts'
import { insertNewScore } from '../collections/new-score.ts'
import { findTask, updateImportedScore } from '../tasks/store.ts'
import { findUser } from '../users/store.ts'
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
    try {
      await ctx.transaction(async (tx) => {
        const user = await findUser(tx, { id: task.user_id })
        const owner = { id: task.user_id, organization: user?.organization_id ?? undefined, app }
        const { score, revision } = await insertNewScore(ctx, tx, owner, contents, asked)
        const isFirst = await updateImportedScore(tx, id, { score, revision: revision.id })
        // Thrown, so that the score that was just written is none.
        if (!isFirst) throw new Error('Another run has imported the file')
      })
    } catch (error) {
      // One whose lease was lost may still be running, and be quicker.
      const now = await findTask(ctx.db.read, id)
      if (now && !now.score_id) throw error
    }
  },
})
