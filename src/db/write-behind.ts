import type { Logger } from 'pino'
import type { Database, Transaction } from './database.ts'

/** A kind of write that may be late: many small notes, merged in memory and written together. */
export interface DeferredWrite {
  readonly name: string
  /** What two notes under one key come to. */
  merge(earlier: number, later: number): number
  /** Writes all that was noted since the last time, by key. */
  flush(tx: Transaction, notes: ReadonlyMap<string, number>): Promise<void>
}

/**
 * Keeps writes out of the path of reads: views, last uses and the like. What was noted in the last seconds before a
 * crash is lost; nothing that a caller was promised may go here.
 */
export interface WriteBehind {
  note(write: DeferredWrite, key: string, value: number): void
  /** Writes what was noted so far. */
  flush(): Promise<void>
  /** Stops the timer after a last flush. */
  close(): Promise<void>
}

/** @param intervalMilliseconds how late a write may be */
export function writeBehind(db: Database, log: Logger, intervalMilliseconds = 5000): WriteBehind {
  let pending = new Map<DeferredWrite, Map<string, number>>()

  async function flush() {
    const batch = pending
    pending = new Map()
    for (const [write, notes] of batch) {
      try {
        await db.transaction((tx) => write.flush(tx, notes))
      } catch (error) {
        log.error({ err: error, write: write.name, notes: notes.size }, 'deferred writes were lost')
      }
    }
  }

  const timer = setInterval(flush, intervalMilliseconds)
  timer.unref()

  return {
    note(write, key, value) {
      let notes = pending.get(write)
      if (!notes) {
        notes = new Map()
        pending.set(write, notes)
      }
      const earlier = notes.get(key)
      notes.set(key, earlier === undefined ? value : write.merge(earlier, value))
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
