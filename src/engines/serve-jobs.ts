import { parentPort, Worker } from 'node:worker_threads'
import { Failure } from '../errors.ts'
import type { HostMessage } from './host.ts'
import { overMemorySignal } from './process-host.ts'

/** Does a job; `report` takes percents. */
export type Handler<Job> = (job: Job, report: (percent: number) => void) => Promise<unknown>

/**
 * Makes this process or thread a host of a pool: takes one job after another and answers each.
 * A Failure that `handle` throws goes to the caller as it is; any other error makes the pool replace the host.
 */
export function serveJobs<Job>(handle: Handler<Job>): void {
  const port = parentPort
  if (port) {
    const tell = (message: HostMessage) => port.postMessage(message)
    port.on('message', async ({ job }) => tell(await answerTo(job, handle, tell, () => 0)))
    tell({ kind: 'ready' })
    return
  }
  const tell = (message: HostMessage) => process.send?.(message)
  watchOver(Number(process.argv[2]))
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ job }: { job: Job }) => {
    tell(await answerTo(job, handle, tell, () => process.memoryUsage.rss()))
  })
  tell({ kind: 'ready' })
}

async function answerTo<Job>(
  job: Job,
  handle: Handler<Job>,
  tell: (message: HostMessage) => void,
  memory: () => number,
): Promise<HostMessage> {
  try {
    const answer = await handle(job, (percent) => tell({ kind: 'progress', percent }))
    return { kind: 'answer', answer, memory: memory() }
  } catch (error) {
    if (error instanceof Failure) {
      const { code, param, message } = error
      return { kind: 'failure', code, param, message, memory: memory() }
    }
    return { kind: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/**
 * A thread of its own, because an engine that computes hears nothing: it ends this process when it has grown too big,
 * or when its parent is gone.
 */
function watchOver(memoryLimit: number): void {
  const watch = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > ${memoryLimit}) process.kill(process.pid, '${overMemorySignal}')
  }, 100)`
  new Worker(watch, { eval: true }).unref()
}
