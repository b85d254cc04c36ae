import { job } from '../../jobs/job.ts'
import { findTask, updateTaskResult } from '../tasks/store.ts'
import { exportResult, keepExport } from './exports.ts'
import { findRevision } from './revisions.ts'

/** Makes the export that a task asks for. Nothing is left to do where task, score or revision is gone. */
export const exportScoreJob = job({
  kind: 'export-score',
  maxAttempts: 3,
  async handle(ctx, { task: id, format, title, parts }, { report }) {
    const task = await findTask(ctx.db.read, id)
    if (!task?.score_id || !task.revision_id) return
    const revision = await findRevision(ctx.db.read, { score: task.score_id, id: task.revision_id })
    if (!revision) return
    const blob = await keepExport(ctx, revision, { format, parts }, (percent) => report(percent))
    await ctx.transaction((tx) => updateTaskResult(tx, id, exportResult(blob, title, format)))
  },
})
