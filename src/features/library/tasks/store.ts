import type { Database, Queries, Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { releaseStoredBytes } from '../../people/storage/quota.ts'
import type { TasksTable } from '../../../platform/db/tables.ts'
import type { Lane } from '../../../platform/queue/lanes.ts'
import { jobRetention } from '../../../platform/queue/queue.ts'

export async function insertTask(tx: Transaction, task: TasksTable): Promise<void> {
  await tx.insertInto('tasks').values(task).execute()
}

export async function findTask(queries: Queries, id: string): Promise<TasksTable | undefined> {
  return queries.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The resulting file of a task. */
export type TaskResult = Pick<TasksTable, 'result_hash' | 'result_name' | 'result_media_type'>

export async function updateTaskResult(tx: Transaction, id: string, result: TaskResult): Promise<void> {
  await tx.updateTable('tasks').set(result).where('id', '=', id).execute()
}

/**
 * Sets the score that an import created. Returns false if the task was deleted or already has a score.
 */
export async function updateImportedScore(
  tx: Transaction,
  id: string,
  created: { score: string; revision: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tasks')
    .set({ score_id: created.score, revision_id: created.revision })
    .where('id', '=', id)
    .where('score_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Releases the file of an import, which no longer counts against the storage quota. */
export async function releaseSource(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  { id, user_id, source_bytes }: Pick<TasksTable, 'id' | 'user_id' | 'source_bytes'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('tasks')
    .set({ source_blob: null, source_bytes: 0 })
    .where('id', '=', id)
    .where('source_blob', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await releaseStoredBytes(ctx, tx, user_id, source_bytes)
}

const taskLanes: Lane[] = ['import', 'export']

/** Returns the number of a user's unfinished tasks. All jobs of these lanes have one. */
export async function countOpenTasks(queries: Queries, user: string): Promise<number> {
  const { count } = await queries
    .selectFrom('jobs')
    .where('lane', 'in', taskLanes)
    .where('turn_key', '=', user)
    .where('due_at', 'is not', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Releases the files of imports that have ended, successful or not. */
export async function releaseFinishedSources(ctx: Pick<Context, 'clock'>, tx: Transaction): Promise<void> {
  const ended = await tx
    .selectFrom('tasks')
    .select(['id', 'user_id', 'source_bytes'])
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
  for (const task of ended) await releaseSource(ctx, tx, task)
}

const batchSize = 500

/** Deletes the tasks whose jobs were deleted, in batches. A task that is younger than the retention of jobs still has its job. */
export async function deleteTasksWithoutJob(db: Database, now: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const orphaned = await db.read
      .selectFrom('tasks')
      .select('id')
      .where('created_at', '<', now - jobRetention)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'tasks.job_id'))),
      )
      .limit(batchSize)
      .execute()
    const ids = orphaned.map(({ id }) => id)
    if (ids.length === 0) return
    await db.transaction((tx) => tx.deleteFrom('tasks').where('id', 'in', ids).execute())
  }
}
