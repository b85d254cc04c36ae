import type { Transaction } from '../../../platform/db/database.ts'
import type { TasksTable } from '../../../platform/db/tables.ts'
import type { JobKind, JobPayloads } from '../../../platform/queue/kinds.ts'
import type { PreparedBlob } from '../../../platform/blobs/blob-store.ts'
import type { Context } from '../../../context.ts'
import { addStoredBytes } from '../../people/storage/quota.ts'
import { checkOpenTasks } from './policy.ts'
import { insertTask } from './store.ts'

type JobFor = { [Kind in JobKind]: { kind: Kind; payload: JobPayloads[Kind] } }[JobKind]

/**
 * Inserts a task and enqueues its job, whose payload contains the id of the task and its user.
 * @throws TOO_MANY_TASKS, ACCOUNT_STORAGE_EXHAUSTED, ORGANIZATION_STORAGE_EXHAUSTED
 */
export async function insertTaskWithJob(
  ctx: Context,
  tx: Transaction,
  task: {
    user: string
    type: string
    format?: string
    score?: string
    revision?: string
    /** The sharing key with which the caller opened the score. */
    sharingKey?: string | undefined
    /** The file that the job processes. It counts against the storage quota until the job has ended. */
    source?: PreparedBlob
    job(task: string): JobFor
  },
): Promise<TasksTable> {
  await checkOpenTasks(ctx, tx, task.user)
  const id = ctx.newId()
  const row: TasksTable = {
    id,
    user_id: task.user,
    job_id: await ctx.jobs.enqueue(tx, task.job(id)),
    type: task.type,
    format: task.format ?? null,
    score_id: task.score ?? null,
    revision_id: task.revision ?? null,
    sharing_key: task.sharingKey ?? null,
    source_blob: task.source?.hash ?? null,
    source_bytes: task.source?.storedSize ?? 0,
    result_hash: null,
    result_name: null,
    result_media_type: null,
    created_at: ctx.clock.now(),
  }
  if (task.source) {
    await ctx.blobs.insert(tx, task.source)
    await addStoredBytes(ctx, tx, task.user, task.source.storedSize)
  }
  await insertTask(tx, row)
  return row
}
