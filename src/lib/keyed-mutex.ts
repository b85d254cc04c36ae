import { Failure } from '../errors.ts'
import { type FairQueue, fairQueue, type QueuedWork } from './fair-queue.ts'
import type { Waiter } from './shared-runs.ts'

/**
 * Runs a task when no other task with the same key runs. The callers of tasks with the same key are served in turn; tasks
 * with different keys run concurrently.
 * @returns the result of the task. Rejects with the reason of the waiter's signal if it is aborted before the task starts.
 * @throws SERVER_BUSY if the queue of the key is full
 */
export type KeyedMutex = <Result>(key: string, waiter: Waiter, task: () => Promise<Result>) => Promise<Result>

interface Turn extends QueuedWork {
  start(): void
  reject(reason: unknown): void
}

/**
 * Creates a mutex for each key within this process. It avoids conflicts and duplicate work, but it does not replace
 * transactions: other processes do not see it.
 * @param maxQueued number of tasks that may wait for one key. Each waiting task holds the data of its request in memory.
 */
export function keyedMutex(maxQueued = 200): KeyedMutex {
  /** The queues of the keys for which a task runs. */
  const queues = new Map<string, FairQueue<Turn>>()

  async function turnIn(queue: FairQueue<Turn>, { caller, signal }: Waiter): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const turn: Turn = { callers: [caller], cost: 1, start: resolve, reject }
    for (const displaced of queue.add(turn)) displaced.reject(new Failure('SERVER_BUSY'))
    const leave = () => {
      // A turn that has come cannot be given back: the task runs, and passes the turn on.
      if (queue.remove(turn)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  return async (key, waiter, task) => {
    waiter.signal?.throwIfAborted()
    const running = queues.get(key)
    const queue = running ?? fairQueue({ total: maxQueued, perCaller: maxQueued })
    if (running) await turnIn(running, waiter)
    else queues.set(key, queue)
    try {
      return await task()
    } finally {
      const next = queue.take()
      if (next) next.work.start()
      else queues.delete(key)
    }
  }
}
