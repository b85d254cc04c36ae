import type { Queries } from '../../../platform/db/database.ts'
import type { TasksTable } from '../../../platform/db/tables.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { countOpenTasks, findTask } from './store.ts'

/**
 * Checks that the user may create another task.
 * @throws TOO_MANY_TASKS
 */
export async function checkOpenTasks(
  { config }: Pick<Context, 'config'>,
  queries: Queries,
  user: string,
): Promise<void> {
  const max = config.openTasks
  if ((await countOpenTasks(queries, user)) < max) return
  fail('TOO_MANY_TASKS', {
    message: `You have ${max} unfinished tasks, the maximum. Try again when some of them are done.`,
  })
}

/**
 * Loads a task of the actor.
 * @throws TASK_NOT_FOUND if the task does not exist or belongs to another user
 */
export async function loadTask(queries: Queries, actor: Actor, id: string): Promise<TasksTable> {
  const task = isId(id) ? await findTask(queries, id) : undefined
  if (task?.user_id !== actor.id) fail('TASK_NOT_FOUND')
  return task
}
