import { parentPort, Worker } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import type { HostMessage } from './host.ts'
import { overMemorySignal } from './process-host.ts'
import { traceOf } from './traces.ts'

/** Runs a job. `report` receives the progress in percent. */
export type Handler<Job> = (job: Job, report: (percent: number) => void) => Promise<unknown>

/**
 * Turns this process or thread into a host of a pool, which runs one job after another and answers each. A
 * Failure that `handle` throws is passed to the caller unchanged. After any other error the pool replaces the
 * host.
 */
export function serveJobs<Job>(handle: Handler<Job>): void {
  const port = parentPort
  if (port) {
    const send = (message: HostMessage) => port.postMessage(message)
    port.on('message', async ({ job }) => send(await runJob(job, handle, send, () => 0)))
    send({ kind: 'ready' })
    return
  }
  const send = (message: HostMessage) => process.send?.(message)
  watchMemoryAndParent(Number(process.argv[2]))
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ job }: { job: Job }) => {
    send(await runJob(job, handle, send, () => process.memoryUsage.rss()))
  })
  send({ kind: 'ready' })
}

async function runJob<Job>(
  job: Job,
  handle: Handler<Job>,
  send: (message: HostMessage) => void,
  memory: () => number,
): Promise<HostMessage> {
  try {
    const answer = await handle(job, (percent) => send({ kind: 'progress', percent }))
    return { kind: 'answer', answer, memory: memory() }
  } catch (error) {
    if (error instanceof Failure) {
      const { code, param, message } = error
      return { kind: 'failure', code, param, message, memory: memory() }
    }
    return { kind: 'error', message: traceOf(error instanceof Error ? (error.stack ?? '') : '') }
  }
}

/**
 * Starts a thread that ends this process when it exceeds its memory limit or when its parent has ended. A
 * separate thread is needed because an engine blocks the event loop while it computes.
 */
function watchMemoryAndParent(memoryLimit: number): void {
  const watch = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > ${memoryLimit}) process.kill(process.pid, '${overMemorySignal}')
  }, 100)`
  new Worker(watch, { eval: true }).unref()
}
