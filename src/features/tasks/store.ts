import type { Queries, Transaction } from '../../db/database.ts'
import type { TasksTable } from '../../db/tables.ts'

export async function insertTask(tx: Transaction, task: TasksTable): Promise<void> {
  await tx.insertInto('tasks').values(task).execute()
}

export async function findTask(queries: Queries, id: string): Promise<TasksTable | undefined> {
  return queries.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The file that a task came to. */
export type TaskResult = Pick<TasksTable, 'result_blob' | 'result_name' | 'result_media_type'>

export async function updateTaskResult(tx: Transaction, id: string, result: TaskResult): Promise<void> {
  await tx.updateTable('tasks').set(result).where('id', '=', id).execute()
}

/** Notes the score that an import made, and lets go of its file. False where the task is gone or has a score already. */
export async function updateImportedScore(
  tx: Transaction,
  id: string,
  made: { score: string; revision: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tasks')
    .set({ score_id: made.score, revision_id: made.revision, source_blob: null })
    .where('id', '=', id)
    .where('score_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
