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
   * Adds work. If the queue is full, the newest work of the caller whose waiting work costs most makes room. Shared work counts
   * as work of its caller with the least waiting work.
   * @returns the works that were removed to make room
   * @throws SERVER_BUSY if all its callers have their maximum of waiting work, or if the queue is full and no caller has more
   * waiting work than they would have
   */
  add(work: Work): Work[]
  /**
   * Removes the next work and charges its cost to the caller whose turn it is.
   * @param canStart whether work can start on behalf of a caller now. Other work stays in the queue.
   */
  take(canStart?: (work: Work, caller: string) => boolean): { work: Work; caller: string } | undefined
  /** Charges a caller for work that starts at once, without having waited in the queue. */
  serve(caller: string, cost: number): void
  /** Charges a caller for work that cost more than expected. */
  charge(caller: string, cost: number): void
  /** Returns whether the work was in the queue. */
  remove(work: Work): boolean
}

/** The maximum cost of waiting work. One work of each caller can wait even if it costs more. */
export interface FairQueueLimits {
  readonly total: number
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

  function chargeUntil(caller: string, start: number): void {
    nextStarts.delete(caller)
    nextStarts.set(caller, start)
    const [oldest] = nextStarts.keys()
    if (nextStarts.size > maxKnownCallers && oldest !== undefined) nextStarts.delete(oldest)
  }

  function serve(caller: string, cost: number): void {
    now = startFor(caller)
    chargeUntil(caller, now + cost)
  }

  /**
   * Returns the works that make room for new work.
   * @param own the cost of the waiting work of its callers, with the new work
   * @param costs the cost of the waiting work of each caller. The costs of the returned works are subtracted.
   */
  function worksToRemove(cost: number, own: number, costs: Map<string, number>): Work[] {
    const left = waiting.map((work) => ({ work, callers: [...new Set(work.callers)] }))
    const removed: Work[] = []
    let excess = sumOf(waiting) + cost - total
    while (left.length > 0 && excess > 0) {
      let most = own
      let index = -1
      left.forEach(({ callers }, candidate) => {
        const least = leastCost(callers, costs)
        if (least <= own || least < most) return
        most = least
        index = candidate
      })
      const [busiest] = index < 0 ? [] : left.splice(index, 1)
      if (!busiest) fail('SERVER_BUSY')
      const { work, callers } = busiest
      for (const caller of callers) costs.set(caller, (costs.get(caller) ?? 0) - work.cost)
      excess -= work.cost
      removed.push(work)
    }
    return removed
  }

  return {
    get length() {
      return waiting.length
    },
    [Symbol.iterator]: () => waiting.values(),
    add(work) {
      const costs = costsByCaller(waiting)
      const own = leastCost(work.callers, costs)
      if (own > 0 && own + work.cost > perCaller) {
        fail('SERVER_BUSY', {
          message:
            'You have too many requests that wait for their turn. Try again when some of them are done.',
        })
      }
      const removed = worksToRemove(work.cost, own + work.cost, costs)
      for (const removedWork of removed) waiting.splice(waiting.indexOf(removedWork), 1)
      waiting.push(work)
      return removed
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
      const { work, caller } = next
      waiting.splice(waiting.indexOf(work), 1)
      serve(caller, work.cost)
      return { work, caller }
    },
    serve,
    charge: (caller, cost) => chargeUntil(caller, startFor(caller) + cost),
    remove(work) {
      const index = waiting.indexOf(work)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    },
  }
}

const sumOf = (works: readonly QueuedWork[]): number => works.reduce((sum, { cost }) => sum + cost, 0)

/** Work that several callers wait for counts for each of them. */
function costsByCaller(works: readonly QueuedWork[]): Map<string, number> {
  const costs = new Map<string, number>()
  for (const { callers, cost } of works)
    for (const caller of new Set(callers)) costs.set(caller, (costs.get(caller) ?? 0) + cost)
  return costs
}

/** Returns the cost of the waiting work of the caller who has least. */
function leastCost(callers: Iterable<string>, costs: ReadonlyMap<string, number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const caller of callers) least = Math.min(least, costs.get(caller) ?? 0)
  return least
}
