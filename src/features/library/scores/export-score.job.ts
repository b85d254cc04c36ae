import { job } from '../../../platform/queue/job.ts'
import { findTask, updateTaskResult } from '../tasks/store.ts'
import { exportResult, storeExport } from './exports.ts'
import { findRevision } from './revisions.store.ts'

/**
 * Creates the export that a task requests. Does nothing if the task, the score or the revision was deleted.
 */
export const exportScoreJob = job({
  kind: 'export-score',
  maxAttempts: 3,
  async handle(ctx, { task: id, format, title, parts, paper, staffSize, pitches, chordSymbols }, work) {
    const { signal, report } = work
    const task = await findTask(ctx.db.read, id)
    if (!task?.score_id || !task.revision_id) return
    const revision = await findRevision(ctx.db.read, { score: task.score_id, id: task.revision_id })
    if (!revision) return
    const doing = 'Writing the file'
    // Some engines report no progress.
    report(1, doing)
    const waiter = {
      caller: task.user_id,
      signal,
      report: (percent: number) => report(percent, doing),
      isPatient: true,
    }
    const setup = { paper, staffSize, defaultPaper: ctx.config.paper }
    const { blob } = await storeExport(ctx, revision, { format, parts, setup, pitches, chordSymbols }, waiter)
    await ctx.transaction((tx) => updateTaskResult(tx, id, exportResult(blob, title, format)))
  },
})
