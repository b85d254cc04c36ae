import type { Transaction } from '../../db/database.ts'
import type { TasksTable } from '../../db/tables.ts'
import type { JobKind, JobPayloads } from '../../jobs/kinds.ts'
import type { Context } from '../../operation.ts'
import { insertTask } from './store.ts'

type JobFor = { [Kind in JobKind]: { kind: Kind; payload: JobPayloads[Kind] } }[JobKind]

/** Writes a task and the job that does it, which is told the id of its task. */
export async function insertTaskWithJob(
  ctx: Context,
  tx: Transaction,
  task: {
    user: string
    type: string
    format?: string
    score?: string
    revision?: string
    /** The key by which the score was opened. */
    sharingKey?: string | undefined
    /** Blob that the job works on. */
    source?: string
    job(task: string): JobFor
  },
): Promise<TasksTable> {
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
    source_blob: task.source ?? null,
    result_blob: null,
    result_name: null,
    result_media_type: null,
    created_at: ctx.clock.now(),
  }
  await insertTask(tx, row)
  return row
}
