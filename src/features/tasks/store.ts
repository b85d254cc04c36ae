import type { Database, Queries, Transaction } from '../../db/database.ts'
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

/** How many tasks of a user are not over. */
export async function countOpenTasks(queries: Queries, user: string): Promise<number> {
  const { count } = await queries
    .selectFrom('tasks')
    .innerJoin('jobs', 'jobs.id', 'tasks.job_id')
    .where('tasks.user_id', '=', user)
    .where('jobs.due_at', 'is not', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Lets go of the files of imports that are over, however they ended. */
export async function clearSpentSources(tx: Transaction): Promise<void> {
  await tx
    .updateTable('tasks')
    .set({ source_blob: null })
    .where('source_blob', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.id', '=', 'tasks.job_id')
            .where('jobs.due_at', 'is not', null),
        ),
      ),
    )
    .execute()
}

/** A job is remembered for a week after its end, so what is younger than this has one. */
const youngestForgotten = 7 * 24 * 60 * 60 * 1000
const deletedAtOnce = 500

/** Deletes the tasks whose jobs are forgotten, a little at a time. */
export async function deleteForgottenTasks(db: Database, now: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const forgotten = await db.read
      .selectFrom('tasks')
      .select('id')
      .where('created_at', '<', now - youngestForgotten)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'tasks.job_id'))),
      )
      .limit(deletedAtOnce)
      .execute()
    const ids = forgotten.map(({ id }) => id)
    if (ids.length === 0) return
    await db.transaction((tx) => tx.deleteFrom('tasks').where('id', 'in', ids).execute())
  }
}

/** Deletes all tasks of a user, and the jobs of them, which are told titles and names of files. */
export async function deleteTasksOf(tx: Transaction, user: string): Promise<void> {
  await tx
    .deleteFrom('jobs')
    .where('id', 'in', (eb) => eb.selectFrom('tasks').where('user_id', '=', user).select('job_id'))
    .execute()
  await tx.deleteFrom('tasks').where('user_id', '=', user).execute()
}
