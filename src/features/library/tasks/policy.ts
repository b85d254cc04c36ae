import type { Queries } from '../../../platform/db/database.ts'
import type { TasksTable } from '../../../platform/db/tables.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import { countOpenTasks, findTask } from './store.ts'

/** Maximum number of unfinished tasks of one user. It prevents one user from filling the queue. */
const maxOpenTasks = 100

/**
 * Checks that the actor may create another task. Simultaneous requests can exceed the limit slightly, which
 * is acceptable.
 * @throws TOO_MANY_TASKS
 */
export async function checkOpenTasks(queries: Queries, actor: Actor): Promise<void> {
  if ((await countOpenTasks(queries, actor.id)) >= maxOpenTasks) fail('TOO_MANY_TASKS')
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
