import { fail } from '../errors.ts'

/** Work that waits in a fair queue. */
export interface QueuedWork {
  /** Everyone who waits for this work. It is read at each decision, so callers can join and leave. */
  readonly callers: Iterable<string>
  /** The expected effort, in any unit that all work of the queue shares. Greater than 0. */
  readonly cost: number
}

/**
 * A queue that serves callers in turn, in proportion to what their work costs (start-time fair queueing: Goyal, Vin and Cheng,
 * SIGCOMM 1996). Work of one caller is served in its order. Every method takes time proportional to the length of the queue.
 */
export interface FairQueue<Work extends QueuedWork> extends Iterable<Work> {
  readonly length: number
  /**
   * Adds work. If the queue is full, the newest work of the caller with the most waiting work makes room.
   * @returns the work that was removed to make room
   * @throws SERVER_BUSY if all its callers have their maximum of waiting work, or if the queue is full and no caller has
   * clearly more than they have
   */
  add(work: Work): Work | undefined
  /** Puts work back that was taken. It is served before the other work of its callers, and no limit applies. */
  addAgain(work: Work): void
  /**
   * Removes the next work and charges its cost to the caller whose turn it is.
   * @param canStart whether work can start on behalf of a caller now. Other work stays in the queue.
   */
  take(canStart?: (work: Work, caller: string) => boolean): { work: Work; caller: string } | undefined
  /** Returns whether the work was in the queue. */
  remove(work: Work): boolean
}

export interface FairQueueLimits {
  /** The maximum length of the queue. */
  readonly total: number
  /** The maximum number of works that wait for one caller. */
  readonly perCaller: number
}

/** The number of callers whose past costs are known. Beyond it, the one that was served longest ago is forgotten. */
const maxKnownCallers = 10_000

/** Creates an empty queue. */
export function fairQueue<Work extends QueuedWork>({ total, perCaller }: FairQueueLimits): FairQueue<Work> {
  /** In the order of arrival. */
  const waiting: Work[] = []
  /** The start of the work that was served last, in virtual time: the cost that each busy caller has been served. */
  let now = 0
  /** When the next work of a caller starts in virtual time, if that is after `now`. */
  const nextStarts = new Map<string, number>()

  const startFor = (caller: string) => Math.max(now, nextStarts.get(caller) ?? 0)

  function countByCaller(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { callers } of waiting)
      for (const caller of new Set(callers)) counts.set(caller, (counts.get(caller) ?? 0) + 1)
    return counts
  }

  /** Removes and returns the newest work that waits only for the caller with the most work. */
  function makeRoom(counts: ReadonlyMap<string, number>, own: number): Work {
    const [busiest, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0])
    const index = waiting.findLastIndex(({ callers }) => [...callers].every((caller) => caller === busiest))
    // A difference of one would let two callers displace each other's work forever.
    if (most <= own + 1 || index < 0) fail('SERVER_BUSY')
    return waiting.splice(index, 1)[0] as Work
  }

  return {
    get length() {
      return waiting.length
    },
    [Symbol.iterator]: () => waiting.values(),
    add(work) {
      const counts = countByCaller()
      const own = Math.min(...[...work.callers].map((caller) => counts.get(caller) ?? 0))
      if (own >= perCaller) {
        fail('SERVER_BUSY', {
          message: `You have ${own} requests that wait for their turn. Try again when some of them are done.`,
        })
      }
      const displaced = waiting.length >= total ? makeRoom(counts, own) : undefined
      waiting.push(work)
      return displaced
    },
    addAgain(work) {
      waiting.unshift(work)
    },
    take(canStart = () => true) {
      let next: { work: Work; caller: string; start: number } | undefined
      for (const work of waiting) {
        for (const caller of work.callers) {
          const start = startFor(caller)
          if ((!next || start < next.start) && canStart(work, caller)) next = { work, caller, start }
        }
      }
      if (!next) return undefined
      const { work, caller, start } = next
      waiting.splice(waiting.indexOf(work), 1)
      now = start
      nextStarts.delete(caller)
      nextStarts.set(caller, start + work.cost)
      const [oldest] = nextStarts.keys()
      if (nextStarts.size > maxKnownCallers && oldest !== undefined) nextStarts.delete(oldest)
      return { work, caller }
    },
    remove(work) {
      const index = waiting.indexOf(work)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    },
  }
}
