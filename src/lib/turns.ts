import { fail } from '../errors.ts'

/** Runs work of the same key one after another, in the order in which it came; work of other keys goes on beside it. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Turns within this process. They spare work that others would make vain; what must hold between processes as well is
 * for a transaction to see to.
 *
 * Who waits holds what it has brought, so no more than `mostWaiting` may for one key: the next fails with SERVER_BUSY. A
 * class that opens the same score in the same second is well below that.
 */
export function takingTurns(mostWaiting = 200): InTurn {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > mostWaiting) fail('SERVER_BUSY')
    const mine = queue.length > 0 ? queue.last.then(work) : work()
    queue.last = mine.catch(() => {})
    queue.length++
    queues.set(key, queue)
    try {
      return await mine
    } finally {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    }
  }
}
