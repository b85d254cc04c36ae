import type { Task } from '../../../contract/tasks.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { TasksTable } from '../../../platform/db/tables.ts'
import type { Context } from '../../../context.ts'
import { hasExport } from '../scores/export-cache.ts'
import { presentTask } from './present.ts'

/**
 * Builds the response for a task, with the state of its job and the URL of its result.
 * @param mayDownload whether the response may contain the URL of the result
 */
export async function composeTask(
  ctx: Context,
  queries: Queries,
  task: TasksTable,
  { mayDownload = false } = {},
): Promise<Task> {
  const job = await ctx.jobs.find(queries, task.job_id)
  const { result_hash: blob, result_name: name, result_media_type: mediaType } = task
  const isThere = mayDownload && blob && name && mediaType && (await hasExport(ctx, blob))
  const url = isThere ? ctx.links.urlOf({ blob, name, mediaType }) : undefined
  return presentTask(task, job, url)
}
