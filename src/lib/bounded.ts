import { fail } from '../errors.ts'

/**
 * Runs work, so many at once; who comes while too many wait is refused.
 * @param whose of one of these, few run and wait together; without one, as many as there are places
 */
export type Bounded = <Result>(work: () => Promise<Result>, whose?: string) => Promise<Result>

/** For work that is costly in itself: what waits costs nothing, but is not to wait for ever. Refuses with SERVER_BUSY. */
export function bounded(mostAtOnce: number, mostWaiting: number, mostOfOne = Number.POSITIVE_INFINITY): Bounded {
  const waiting: (() => void)[] = []
  const places = new Map<string, number>()
  let running = 0

  async function inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < mostAtOnce) running++
    else if (waiting.length >= mostWaiting) fail('SERVER_BUSY')
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Who waits takes the place over, so that nobody comes between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return async (work, whose) => {
    if (whose === undefined) return inPlace(work)
    const taken = places.get(whose) ?? 0
    if (taken >= mostOfOne) fail('SERVER_BUSY')
    places.set(whose, taken + 1)
    try {
      return await inPlace(work)
    } finally {
      const left = (places.get(whose) ?? 1) - 1
      if (left > 0) places.set(whose, left)
      else places.delete(whose)
    }
  }
}
