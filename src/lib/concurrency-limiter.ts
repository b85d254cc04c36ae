import { Failure } from '../errors.ts'
import { fairQueue, type QueuedWork } from './fair-queue.ts'
import type { Waiter } from './shared-runs.ts'

/** Limits how many tasks run at the same time. The callers of waiting tasks are served in turn (`fair-queue.ts`). */
export interface ConcurrencyLimiter {
  /**
   * Waits for a free slot and takes it.
   * @returns a function that releases the slot. Further calls of it have no effect.
   * @throws SERVER_BUSY if too many tasks of this caller, or of all callers, wait; the reason of the waiter's signal if it is
   * aborted before the caller has a slot
   */
  acquire(waiter: Waiter): Promise<() => void>
  /**
   * Runs a task in a slot.
   * @returns the result of the task
   * @throws as `acquire` does, and as the task does
   */
  run<Result>(waiter: Waiter, task: () => Promise<Result>): Promise<Result>
  /** Whether no slot is taken. */
  isIdle(): boolean
}

export interface ConcurrencyLimits {
  /** The number of tasks that run at the same time. */
  readonly slots: number
  /** The maximum number of slots of one caller. Default: half of the slots, but at least one. */
  readonly slotsPerCaller?: number
  /** The maximum number of waiting tasks of all callers. */
  readonly maxWaiting: number
  /** The maximum number of waiting tasks of one caller. Default: `maxWaiting`. */
  readonly maxWaitingPerCaller?: number
}

/** A task that waits for a slot. */
interface WaitingTask extends QueuedWork {
  start(caller: string): void
  reject(reason: unknown): void
}

/** Creates a limiter within this process, for tasks that need much CPU time or memory. */
export function concurrencyLimiter({
  slots,
  slotsPerCaller = Math.max(1, Math.floor(slots / 2)),
  maxWaiting,
  maxWaitingPerCaller = maxWaiting,
}: ConcurrencyLimits): ConcurrencyLimiter {
  const queue = fairQueue<WaitingTask>({ total: maxWaiting, perCaller: maxWaitingPerCaller })
  const slotsOf = new Map<string, number>()
  let taken = 0

  const canStart = (caller: string) => taken < slots && (slotsOf.get(caller) ?? 0) < slotsPerCaller

  function takeSlot(caller: string): () => void {
    taken++
    slotsOf.set(caller, (slotsOf.get(caller) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      taken--
      const left = (slotsOf.get(caller) ?? 1) - 1
      if (left > 0) slotsOf.set(caller, left)
      else slotsOf.delete(caller)
      startNext()
    }
  }

  function startNext(): void {
    const next = queue.take((_task, caller) => canStart(caller))
    next?.work.start(next.caller)
  }

  async function acquire({ caller, signal }: Waiter): Promise<() => void> {
    signal?.throwIfAborted()
    // If this caller can have a slot, every waiting task belongs to a caller that has its maximum of slots.
    if (canStart(caller)) {
      queue.serve(caller, 1)
      return takeSlot(caller)
    }
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const task: WaitingTask = {
      callers: [caller],
      cost: 1,
      start: (caller) => resolve(takeSlot(caller)),
      reject,
    }
    for (const displaced of queue.add(task)) displaced.reject(new Failure('SERVER_BUSY'))
    const cancel = () => {
      if (queue.remove(task)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  return {
    acquire,
    async run(waiter, task) {
      const release = await acquire(waiter)
      try {
        return await task()
      } finally {
        release()
      }
    },
    isIdle: () => taken === 0,
  }
}
