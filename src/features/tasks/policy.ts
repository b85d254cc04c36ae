import type { Queries } from '../../db/database.ts'
import type { TasksTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor } from '../../operation.ts'
import { findTask } from './store.ts'

/** A task of the actor's own. @throws TASK_NOT_FOUND */
export async function loadTask(queries: Queries, actor: Actor, id: string): Promise<TasksTable> {
  const task = isId(id) ? await findTask(queries, id) : undefined
  if (task?.user_id !== actor.id) fail('TASK_NOT_FOUND')
  return task
}
