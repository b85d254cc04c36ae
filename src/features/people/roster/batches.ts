import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'

/**
 * Long enough to be worth a sync to disk. A running server may be delayed by 50 ms, and the cost of rows
 * varies.
 */
const targetMilliseconds = 15
/** With fewer rows in a batch, the cost of the transaction itself dominates. */
const minRows = 8
/** Pause in which a running server can take the lock. It retries every few milliseconds. */
const pauseMilliseconds = 5

/** Rows that are written in batches. */
export interface BatchedRows<Row extends { n: number }, Written> {
  /** Returns the next rows with a greater `n`. */
  rows(after: number, limit: number): Row[]
  /** Maximum number of rows in a batch. */
  maxRows: number
  /** Does slow work that needs no transaction. */
  prepare?(rows: readonly Row[]): Promise<void>
  /** Writes a batch. May run twice, like every transaction. */
  write(tx: Transaction, rows: readonly Row[]): Promise<Written>
  /** Whether to stop after the present batch. */
  isOver?: (() => boolean) | undefined
  /** Runs after the commit. */
  written(rows: readonly Row[], written: Written): void
}

/**
 * Writes many rows in transactions of about 15 ms each, so that a running server is not blocked. If the
 * process stops, finished batches stay.
 * @returns whether all rows are written
 */
export async function writeInBatches<Row extends { n: number }, Written>(
  ctx: Pick<Context, 'transaction'>,
  { rows, maxRows, prepare, write, written, isOver }: BatchedRows<Row, Written>,
): Promise<boolean> {
  let size = minRows
  let after = 0
  for (;;) {
    const batch = rows(after, size)
    const last = batch.at(-1)
    if (!last) return true
    await prepare?.(batch)
    let took = 0
    const result = await ctx.transaction(async (tx) => {
      const start = performance.now()
      const result = await write(tx, batch)
      took = performance.now() - start
      return result
    })
    written(batch, result)
    if (isOver?.()) return false
    after = last.n
    const rowsInTime = Math.floor((batch.length * targetMilliseconds) / Math.max(took, 1))
    size = Math.max(minRows, Math.min(rowsInTime, 2 * size, maxRows))
    await delay(pauseMilliseconds)
  }
}

/** Reads many rows in batches. */
export async function readInBatches<Row extends { n: number }>(
  rows: (after: number, limit: number) => Row[],
  check: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  let after = 0
  for (;;) {
    const batch = rows(after, 200)
    const last = batch.at(-1)
    if (!last) return
    await check(batch)
    after = last.n
  }
}
