import type { Task } from '../../contract/tasks.ts'
import type { Queries } from '../../db/database.ts'
import type { TasksTable } from '../../db/tables.ts'
import type { Context } from '../../operation.ts'
import { presentTask } from './present.ts'

/**
 * A task with the state of its job and an address for its result.
 * @param mayDownload whether there may be such an address, once the task is done
 */
export async function composeTask(
  ctx: Context,
  queries: Queries,
  task: TasksTable,
  { mayDownload = false } = {},
): Promise<Task> {
  const job = await ctx.jobs.find(queries, task.job_id)
  const { result_blob: blob, result_name: name, result_media_type: mediaType } = task
  const url = mayDownload && blob && name && mediaType ? ctx.links.urlOf({ blob, name, mediaType }) : undefined
  return presentTask(task, job, url)
}
