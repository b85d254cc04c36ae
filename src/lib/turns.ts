/** Runs work of the same key one after another, in the order in which it came; work of other keys goes on beside it. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Turns within this process. They spare work that others would make vain; what must hold between processes as well is
 * for a transaction to see to.
 */
export function takingTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const mine = before ? before.then(work) : work()
    const settled = mine.catch(() => {})
    last.set(key, settled)
    try {
      return await mine
    } finally {
      if (last.get(key) === settled) last.delete(key)
    }
  }
}
