import type { Task } from '../../../contract/tasks.ts'
import type { TasksTable } from '../../../platform/db/tables.ts'
import type { JobStatus } from '../../../platform/queue/queue.ts'
import { dateTime } from '../../../lib/date-time.ts'

/** Builds the response for a task and its job. The job can be missing: it is deleted a week after its end. */
export function presentTask(
  task: Omit<TasksTable, 'user_id' | 'job_id'>,
  job: JobStatus | undefined,
  resultUrl?: string,
): Task {
  const lastError = job?.errors.at(-1)?.message
  const state = job?.state ?? (hasResult(task) ? 'done' : 'error')
  return {
    id: task.id,
    type: task.type,
    state,
    format: task.format ?? undefined,
    score: task.score_id ?? undefined,
    revision: task.revision_id ?? undefined,
    progress: { percent: job?.percent ?? (state === 'done' ? 100 : 0), text: job?.text },
    creationDate: dateTime(task.created_at),
    modificationDate: dateTime(job?.updatedAt ?? task.created_at),
    doneDate: job?.doneAt === undefined ? undefined : dateTime(job.doneAt),
    result: resultUrl ? { url: resultUrl } : state === 'error' ? { error: lastError } : undefined,
    errorHistory: job?.errors.map(({ message }) => message),
    isCancellable: false,
  }
}

/** Returns whether the task was successful, which its row shows even after its job was deleted. */
function hasResult({
  type,
  score_id,
  result_hash,
}: Pick<TasksTable, 'type' | 'score_id' | 'result_hash'>): boolean {
  return (type === 'score-save' ? score_id : result_hash) !== null
}
