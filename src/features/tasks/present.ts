import type { Task } from '../../contract/tasks.ts'
import type { TasksTable } from '../../db/tables.ts'
import type { JobStatus } from '../../jobs/jobs.ts'

/** A task and the job that does it; the job's row may be gone a week after its end. */
export function presentTask(
  task: Pick<TasksTable, 'id' | 'type' | 'format' | 'score_id' | 'revision_id' | 'created_at'>,
  job: JobStatus | undefined,
  resultUrl?: string,
): Task {
  const lastError = job?.errors.at(-1)?.message
  return {
    id: task.id,
    type: task.type,
    state: job?.state ?? 'done',
    format: task.format ?? undefined,
    score: task.score_id ?? undefined,
    revision: task.revision_id ?? undefined,
    progress: { percent: job?.percent ?? 100, text: job?.text },
    creationDate: toDate(task.created_at),
    modificationDate: toDate(job?.updatedAt ?? task.created_at),
    doneDate: job?.doneAt === undefined ? undefined : toDate(job.doneAt),
    result: resultUrl ? { url: resultUrl } : job?.state === 'error' ? { error: lastError } : undefined,
    errorHistory: job?.errors.map(({ message }) => message),
    isCancellable: false,
  }
}

const toDate = (time: number) => new Date(time).toISOString()
