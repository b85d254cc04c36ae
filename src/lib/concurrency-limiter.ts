import { fail } from '../errors.ts'

/**
 * Runs a task when a slot is free. Tasks start in the order of their calls.
 * @param key groups tasks, for example by account, so that `maxPerKey` applies. Tasks without a key have no such limit.
 * @returns the result of the task
 * @throws SERVER_BUSY if no slot is free and the queue is full, or if `key` has `maxPerKey` tasks already
 */
export type ConcurrencyLimiter = <Result>(task: () => Promise<Result>, key?: string) => Promise<Result>

/**
 * Creates a limiter for tasks that need much CPU time or memory.
 * @param maxConcurrent number of slots, that is, of tasks that run at the same time
 * @param maxQueued number of tasks that may wait for a slot
 * @param maxPerKey number of running and waiting tasks with the same key. Default: no limit.
 */
export function concurrencyLimiter(
  maxConcurrent: number,
  maxQueued: number,
  maxPerKey = Number.POSITIVE_INFINITY,
): ConcurrencyLimiter {
  const queue: (() => void)[] = []
  const tasksPerKey = new Map<string, number>()
  let running = 0

  async function runInSlot<Result>(task: () => Promise<Result>): Promise<Result> {
    if (running < maxConcurrent) running++
    else if (queue.length >= maxQueued) fail('SERVER_BUSY')
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await task()
    } finally {
      // The next waiting task takes the slot directly, so that a new caller cannot jump the queue.
      const startNext = queue.shift()
      if (startNext) startNext()
      else running--
    }
  }

  return async (task, key) => {
    if (key === undefined) return runInSlot(task)
    const tasks = tasksPerKey.get(key) ?? 0
    if (tasks >= maxPerKey) fail('SERVER_BUSY')
    tasksPerKey.set(key, tasks + 1)
    try {
      return await runInSlot(task)
    } finally {
      const remaining = (tasksPerKey.get(key) ?? 1) - 1
      if (remaining > 0) tasksPerKey.set(key, remaining)
      else tasksPerKey.delete(key)
    }
  }
}
