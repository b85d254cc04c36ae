import type { Queries } from '../../db/database.ts'
import type { TasksTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor } from '../../operation.ts'
import { countOpenTasks, findTask } from './store.ts'

/** Tasks that one account may have open at a time, so that it cannot fill the queue for all. */
const mostOpenTasks = 100

/**
 * Whether the actor may ask for another task. Of several that are asked for at the same moment all may be let through:
 * the bound is on the queue's length, and needs not be exact.
 * @throws TOO_MANY_TASKS
 */
export async function checkOpenTasks(queries: Queries, actor: Actor): Promise<void> {
  if ((await countOpenTasks(queries, actor.id)) >= mostOpenTasks) fail('TOO_MANY_TASKS')
}

/** A task of the actor's own. @throws TASK_NOT_FOUND */
export async function loadTask(queries: Queries, actor: Actor, id: string): Promise<TasksTable> {
  const task = isId(id) ? await findTask(queries, id) : undefined
  if (task?.user_id !== actor.id) fail('TASK_NOT_FOUND')
  return task
}
