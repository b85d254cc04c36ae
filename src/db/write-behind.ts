import type { Logger } from 'pino'
import { Failure } from '../errors.ts'
import type { Database, Transaction } from './database.ts'

/** A kind of write that may be late: many small notes, merged in memory and written together. */
export interface DeferredWrite {
  readonly name: string
  /** What two notes under one key come to. */
  merge(earlier: number, later: number): number
  /** Writes notes, by key. One may come again where nobody could tell whether it was committed. */
  flush(tx: Transaction, notes: ReadonlyMap<string, number>): Promise<void>
}

/**
 * Keeps writes out of the path of reads: views, last uses and the like. What was noted in the last seconds before a
 * crash is lost; nothing that a caller was promised may go here. While the database is away, notes are kept.
 */
export interface WriteBehind {
  note(write: DeferredWrite, key: string, value: number): void
  /** Writes what was noted so far. */
  flush(): Promise<void>
  /** Stops the timer after a last flush. */
  close(): Promise<void>
}

/** Notes that are written in one transaction, so that it is a short one however many there are. */
const notesAtOnce = 500
/** The most notes of a kind that are kept for when the database is back. */
const mostNotes = 10_000

/** @param intervalMilliseconds how late a write may be */
export function writeBehind(db: Database, log: Logger, intervalMilliseconds = 5000): WriteBehind {
  let pending = new Map<DeferredWrite, Map<string, number>>()
  let flushing: Promise<void> | undefined

  function notesOf(write: DeferredWrite): Map<string, number> {
    const notes = pending.get(write) ?? new Map<string, number>()
    pending.set(write, notes)
    return notes
  }

  async function flushPending(): Promise<void> {
    const portions = [...pending].flatMap(([write, notes]) => portionsOf(write, notes))
    pending = new Map()
    let isAway = false
    for (const { write, notes } of portions) {
      try {
        if (!isAway) await db.transaction((tx) => write.flush(tx, notes))
      } catch (error) {
        isAway = error instanceof Failure
        if (!isAway) giveUp(write, notes, error)
      }
      if (isAway) keep(write, notes)
    }
  }

  /** Puts notes back, as the earlier ones of those that have come since. */
  function keep(write: DeferredWrite, notes: ReadonlyMap<string, number>): void {
    const since = notesOf(write)
    if (since.size + notes.size > mostNotes) {
      giveUp(write, notes)
      return
    }
    for (const [key, value] of notes) {
      const later = since.get(key)
      since.set(key, later === undefined ? value : write.merge(value, later))
    }
  }

  function giveUp({ name }: DeferredWrite, { size }: ReadonlyMap<string, number>, error?: unknown): void {
    log.error({ err: error, write: name, notes: size }, 'deferred writes were lost')
  }

  function flush(): Promise<void> {
    flushing ??= flushPending().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  const timer = setInterval(flush, intervalMilliseconds)
  timer.unref()

  return {
    note(write, key, value) {
      const notes = notesOf(write)
      const earlier = notes.get(key)
      notes.set(key, earlier === undefined ? value : write.merge(earlier, value))
    },
    async flush() {
      await flushing
      await flush()
    },
    async close() {
      clearInterval(timer)
      await flushing
      await flush()
      for (const [write, notes] of pending) giveUp(write, notes)
    },
  }
}

function portionsOf(write: DeferredWrite, notes: ReadonlyMap<string, number>) {
  const entries = [...notes]
  return Array.from({ length: Math.ceil(entries.length / notesAtOnce) }, (_, index) => ({
    write,
    notes: new Map(entries.slice(index * notesAtOnce, (index + 1) * notesAtOnce)),
  }))
}
