import { Failure } from '../errors.ts'
import { fairQueue, type QueuedWork } from './fair-queue.ts'
import type { Waiter } from './shared-runs.ts'

/** Limits how many tasks run at the same time. The callers of waiting tasks are served in turn (`fair-queue.ts`). */
export interface ConcurrencyLimiter {
  /**
   * Takes a slot as soon as one is free.
   * @returns a function that gives the slot back. Further calls of it have no effect. Rejects with the reason of the waiter's
   * signal if it is aborted before the caller has a slot.
   * @throws SERVER_BUSY if too many tasks wait, of this caller or of all
   */
  acquire(waiter: Waiter): Promise<() => void>
  /**
   * Runs a task in a slot.
   * @returns the result of the task. Rejects and throws as `acquire` does.
   */
  run<Result>(waiter: Waiter, task: () => Promise<Result>): Promise<Result>
  /** Whether no slot is taken. */
  isIdle(): boolean
}

export interface ConcurrencyLimits {
  /** The number of tasks that run at the same time. */
  readonly slots: number
  /** The maximum number of slots of one caller. Default: half of them, but at least one. */
  readonly slotsPerCaller?: number
  /** The maximum number of tasks that wait for a slot, of all callers and of one. */
  readonly waiting: number
  readonly waitingPerCaller?: number
}

interface Turn extends QueuedWork {
  start(caller: string): void
  reject(reason: unknown): void
}

/** Creates a limiter within this process, for tasks that need much CPU time or memory. */
export function concurrencyLimiter({
  slots,
  slotsPerCaller = Math.max(1, Math.floor(slots / 2)),
  waiting,
  waitingPerCaller = waiting,
}: ConcurrencyLimits): ConcurrencyLimiter {
  const queue = fairQueue<Turn>({ total: waiting, perCaller: waitingPerCaller })
  const slotsOf = new Map<string, number>()
  let taken = 0

  const canStart = (caller: string) => taken < slots && (slotsOf.get(caller) ?? 0) < slotsPerCaller

  function take(caller: string): () => void {
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
    const next = queue.take((_turn, caller) => canStart(caller))
    next?.work.start(next.caller)
  }

  async function acquire({ caller, signal }: Waiter): Promise<() => void> {
    signal?.throwIfAborted()
    // Tasks that wait while there is a slot for this caller belong to callers who have their maximum.
    if (canStart(caller)) {
      queue.serve(caller, 1)
      return take(caller)
    }
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const turn: Turn = { callers: [caller], cost: 1, start: (caller) => resolve(take(caller)), reject }
    for (const displaced of queue.add(turn)) displaced.reject(new Failure('SERVER_BUSY'))
    const leave = () => {
      if (queue.remove(turn)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', leave)
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
