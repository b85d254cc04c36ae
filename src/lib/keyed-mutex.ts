import { type ConcurrencyLimiter, concurrencyLimiter } from './concurrency-limiter.ts'
import type { Waiter } from './shared-runs.ts'

/**
 * Runs a task when no other task with the same key runs. The callers of tasks with the same key are served in turn; tasks
 * with different keys run concurrently.
 * @returns the result of the task. Rejects with the reason of the waiter's signal if it is aborted before the task starts.
 * @throws SERVER_BUSY if the queue of the key is full
 */
export type KeyedMutex = <Result>(key: string, waiter: Waiter, task: () => Promise<Result>) => Promise<Result>

/**
 * Creates a mutex for each key within this process. It avoids conflicts and duplicate work, but it does not replace
 * transactions: other processes do not see it.
 * @param maxQueued number of tasks that may wait for one key. Each waiting task holds the data of its request in memory.
 */
export function keyedMutex(maxQueued = 200): KeyedMutex {
  /** The mutexes of the keys for which a task runs. */
  const mutexes = new Map<string, ConcurrencyLimiter>()

  return async (key, waiter, task) => {
    waiter.signal?.throwIfAborted()
    const mutex = mutexes.get(key) ?? concurrencyLimiter({ slots: 1, maxWaiting: maxQueued })
    mutexes.set(key, mutex)
    try {
      return await mutex.run(waiter, task)
    } finally {
      if (mutex.isIdle()) mutexes.delete(key)
    }
  }
}
