import { Worker } from 'node:worker_threads'
import { Failure } from '../errors.ts'
import { type EngineMessage, type JobMessage, overMemorySignal } from './engine-messages.ts'

/** The child's only argument: how much memory it may have resident, in bytes. */
const memoryLimit = Number(process.argv[2])

/**
 * Makes this process an engine of a pool: takes one job after another and answers each.
 * A Failure that `handle` throws goes to the caller as it is; any other error makes the pool replace this process.
 */
export function serveJobs<Job>(handle: (job: Job, report: (percent: number) => void) => Promise<unknown>): void {
  watchOver()
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ job }: JobMessage) => {
    tell(await answerTo(job as Job, handle))
  })
  tell({ kind: 'ready' })
}

async function answerTo<Job>(
  job: Job,
  handle: (job: Job, report: (percent: number) => void) => Promise<unknown>,
): Promise<EngineMessage> {
  try {
    const answer = await handle(job, (percent) => tell({ kind: 'progress', percent }))
    return { kind: 'answer', answer, rss: process.memoryUsage.rss() }
  } catch (error) {
    if (error instanceof Failure) {
      const { code, param, message } = error
      return { kind: 'failure', code, param, message, rss: process.memoryUsage.rss() }
    }
    return { kind: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function tell(message: EngineMessage): void {
  process.send?.(message)
}

/**
 * A thread of its own, because an engine that computes hears nothing: it ends this process when it has grown too big,
 * or when its parent is gone.
 */
function watchOver(): void {
  const watch = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > ${memoryLimit}) process.kill(process.pid, '${overMemorySignal}')
  }, 100)`
  new Worker(watch, { eval: true }).unref()
}
