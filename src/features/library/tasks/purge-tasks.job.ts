import { job } from '../../../platform/queue/job.ts'
import { releaseFinishedSources, deleteTasksWithoutJob } from './store.ts'
import { hour } from '../../../lib/durations.ts'

/** Releases the file of an import after its job has ended, and deletes a task after its job was deleted. */
export const purgeTasks = job({
  kind: 'purge-tasks',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    await ctx.transaction((tx) => releaseFinishedSources(ctx, tx))
    await deleteTasksWithoutJob(ctx.db, ctx.clock.now(), signal)
  },
})
