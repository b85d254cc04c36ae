import type { Logger } from 'pino'
import { Failure } from '../../errors.ts'
import type { Database, Transaction } from './database.ts'

/** A kind of write that may be delayed: many small notes are merged in memory and written together. */
export interface DeferredWrite {
  readonly name: string
  /** Combines two notes of the same key. */
  merge(earlier: number, later: number): number
  /** Writes notes by key. A note may be written twice if the result of a COMMIT was unknown. */
  flush(tx: Transaction, notes: ReadonlyMap<string, number>): Promise<void>
}

/**
 * Removes writes from the path of reads: views, last-use times and similar. A crash loses the notes of the
 * last seconds, so use it only for data that no caller was promised. Notes are kept while the database is
 * unavailable.
 */
export interface WriteBehind {
  note(write: DeferredWrite, key: string, value: number): void
  /** Writes all notes so far. */
  flush(): Promise<void>
  /** Stops the timer after a last flush. */
  close(): Promise<void>
}

/** The maximum number of notes in one transaction, so that each transaction is short. */
const maxNotesPerTransaction = 500
/** The maximum number of notes per kind that are kept while the database is unavailable. */
const maxNotes = 10_000

/** The maximum delay of a write. */
const intervalMilliseconds = 5000

export function writeBehind(db: Database, log: Logger): WriteBehind {
  let pending = new Map<DeferredWrite, Map<string, number>>()
  let flushing: Promise<void> | undefined

  function notesOf(write: DeferredWrite): Map<string, number> {
    const notes = pending.get(write) ?? new Map<string, number>()
    pending.set(write, notes)
    return notes
  }

  async function flushPending(): Promise<void> {
    const batches = [...pending].flatMap(([write, notes]) => batchesOf(write, notes))
    pending = new Map()
    let isUnavailable = false
    for (const { write, notes } of batches) {
      try {
        if (!isUnavailable) await db.transaction((tx) => write.flush(tx, notes))
      } catch (error) {
        isUnavailable = error instanceof Failure
        if (!isUnavailable) drop(write, notes, error)
      }
      if (isUnavailable) restoreNotes(write, notes)
    }
  }

  /** Puts notes back after a failed write, and merges them with newer notes of the same keys. */
  function restoreNotes(write: DeferredWrite, notes: ReadonlyMap<string, number>): void {
    const newer = notesOf(write)
    if (newer.size + notes.size > maxNotes) {
      drop(write, notes)
      return
    }
    for (const [key, value] of notes) {
      const later = newer.get(key)
      newer.set(key, later === undefined ? value : write.merge(value, later))
    }
  }

  function drop({ name }: DeferredWrite, { size }: ReadonlyMap<string, number>, error?: unknown): void {
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
      for (const [write, notes] of pending) drop(write, notes)
    },
  }
}

function batchesOf(write: DeferredWrite, notes: ReadonlyMap<string, number>) {
  const entries = [...notes]
  return Array.from({ length: Math.ceil(entries.length / maxNotesPerTransaction) }, (_, index) => ({
    write,
    notes: new Map(entries.slice(index * maxNotesPerTransaction, (index + 1) * maxNotesPerTransaction)),
  }))
}
