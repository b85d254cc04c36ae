import type { Queries, Transaction } from '../../db/database.ts'
import type { TasksTable } from '../../db/tables.ts'

export async function insertTask(tx: Transaction, task: TasksTable): Promise<void> {
  await tx.insertInto('tasks').values(task).execute()
}

export async function findTask(queries: Queries, id: string): Promise<TasksTable | undefined> {
  return queries.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** What a task came to. */
export type TaskResult = Partial<
  Pick<TasksTable, 'score_id' | 'revision_id' | 'source_blob' | 'result_blob' | 'result_name' | 'result_media_type'>
>

export async function updateTaskResult(tx: Transaction, id: string, result: TaskResult): Promise<void> {
  await tx.updateTable('tasks').set(result).where('id', '=', id).execute()
}
