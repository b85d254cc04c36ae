import { fail } from '../errors.ts'

/**
 * Runs a task when no other task with the same key runs. Tasks with the same key run in the order of their calls; tasks
 * with different keys run concurrently.
 * @returns the result of the task
 * @throws SERVER_BUSY if the queue of the key is full
 */
export type KeyedMutex = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>

/**
 * Creates a mutex for each key within this process. It avoids conflicts and duplicate work, but it does not replace
 * transactions: other processes do not see it.
 * @param maxQueued number of tasks that may wait for one key. Each waiting task holds the data of its request in memory.
 * The default leaves ample room for a class that opens the same score in the same second.
 */
export function keyedMutex(maxQueued = 200): KeyedMutex {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()
  return async (key, task) => {
    // `length` counts the running task too.
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > maxQueued) fail('SERVER_BUSY')
    const result = queue.length > 0 ? queue.last.then(task) : task()
    queue.last = result.catch(() => {})
    queue.length++
    queues.set(key, queue)
    try {
      return await result
    } finally {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
  }
}
