import { fail } from '../errors.ts'

/** Runs work, so many at once; who comes while too many wait is refused. */
export type Bounded = <Result>(work: () => Promise<Result>) => Promise<Result>

/** For work that is costly in itself: what waits costs nothing, but is not to wait for ever. Refuses with SERVER_BUSY. */
export function bounded(mostAtOnce: number, mostWaiting: number): Bounded {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
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
}
