import { flushCompileCache } from 'node:module'
import { parentPort, Worker } from 'node:worker_threads'
import { Failure } from '../../errors.ts'
import type { HostMessage } from './host.ts'
import { overMemorySignal } from './process-host.ts'
import { traceOf } from './traces.ts'

/**
 * Runs a job. `report` receives the progress in percent. `sendBytes` sends the next bytes of a file, and resolves when the host
 * may make more of them. A job must send the same bytes each time, because it can be retried on another host.
 */
export type Handler<Job> = (
  job: Job,
  report: (percent: number) => void,
  sendBytes: (bytes: Uint8Array) => Promise<void>,
) => Promise<unknown>

/** Sends a message to the pool. Resolves when the next one can be sent. */
type Send = (message: HostMessage) => Promise<void>

/**
 * Turns this process or thread into a host of a pool, which runs one job after another and answers each. A
 * Failure that `handle` throws is passed to the caller unchanged. After any other error the pool replaces the
 * host.
 */
export function serveJobs<Job>(handle: Handler<Job>): void {
  const port = parentPort
  if (port) {
    const send: Send = async (message) => port.postMessage(message)
    port.on('message', async ({ job }) => send(await runJob(job, handle, send, () => 0)))
    void send({ kind: 'ready' })
    return
  }
  const send: Send = (message) =>
    new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
  watchMemoryAndParent(Number(process.argv[2]))
  process.on('disconnect', () => process.exit())
  // The server may have ended while this process loaded its engine.
  if (!process.connected) process.exit()
  process.on('message', async ({ job }: { job: Job }) => {
    await send(await runJob(job, handle, send, () => process.memoryUsage.rss()))
  })
  void send({ kind: 'ready' })
  // The pool ends this process with SIGKILL, so that it could not write its compiled code at its end.
  flushCompileCache()
}

async function runJob<Job>(
  job: Job,
  handle: Handler<Job>,
  send: Send,
  memory: () => number,
): Promise<HostMessage> {
  let offset = 0
  const sendBytes = (bytes: Uint8Array) => {
    const sent = send({ kind: 'part', offset, bytes })
    offset += bytes.length
    return sent
  }
  try {
    const answer = await handle(job, (percent) => void send({ kind: 'progress', percent }), sendBytes)
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
