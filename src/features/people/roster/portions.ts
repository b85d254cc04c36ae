import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'

/**
 * Long enough to be worth a sync to disk. A running server may be delayed by 50 ms, and the cost of rows
 * varies.
 */
const targetMilliseconds = 15
/** With fewer rows, the cost of the transaction itself dominates. */
const fewest = 8
/** Pause in which a running server can take the lock. It retries every few milliseconds. */
const pauseMilliseconds = 5

/** Rows that are written in portions. */
export interface Portioned<Row extends { n: number }, Written> {
  /** Returns the next rows with a greater `n`. */
  rows(after: number, limit: number): Row[]
  /** Maximum number of rows in a portion. */
  maxRows: number
  /** Does slow work that needs no transaction. */
  prepare?(rows: readonly Row[]): Promise<void>
  /** Writes a portion. May run twice, like every transaction. */
  write(tx: Transaction, rows: readonly Row[]): Promise<Written>
  /** Runs after the commit. */
  written(rows: readonly Row[], written: Written): void
}

/**
 * Writes many rows in transactions of about 15 ms each, so that a running server is not blocked. If the
 * process stops, finished portions stay.
 */
export async function writeInPortions<Row extends { n: number }, Written>(
  ctx: Pick<Context, 'transaction'>,
  { rows, maxRows: most, prepare, write, written }: Portioned<Row, Written>,
): Promise<void> {
  let size = fewest
  let after = 0
  for (;;) {
    const portion = rows(after, size)
    const last = portion.at(-1)
    if (!last) return
    await prepare?.(portion)
    let took = 0
    const result = await ctx.transaction(async (tx) => {
      const start = performance.now()
      const result = await write(tx, portion)
      took = performance.now() - start
      return result
    })
    written(portion, result)
    after = last.n
    const rowsInTime = Math.floor((portion.length * targetMilliseconds) / Math.max(took, 1))
    size = Math.max(fewest, Math.min(rowsInTime, 2 * size, most))
    await delay(pauseMilliseconds)
  }
}

/** Reads many rows in portions. */
export async function readInPortions<Row extends { n: number }>(
  rows: (after: number, limit: number) => Row[],
  look: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  let after = 0
  for (;;) {
    const portion = rows(after, 200)
    const last = portion.at(-1)
    if (!last) return
    await look(portion)
    after = last.n
  }
}
