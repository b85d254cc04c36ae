import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'

/** Long enough to be worth a sync to disk; a running server may be held up for 50, and not every row costs the same. */
const aimedMilliseconds = 15
/** Of fewer rows the transaction itself is what costs. */
const fewest = 8
/** In which the server takes its turn: who waits for the lock tries every few milliseconds. */
const pauseMilliseconds = 5

/** Rows that are written some at a time. */
export interface Portioned<Row extends { n: number }, Written> {
  /** The next rows, whose `n` is greater. */
  rows(after: number, limit: number): Row[]
  /** At most so many at a time. */
  most: number
  /** What is slow and needs no transaction. */
  prepare?(rows: readonly Row[]): Promise<void>
  /** May run twice, as every transaction. */
  write(tx: Transaction, rows: readonly Row[]): Promise<Written>
  /** After the commit. */
  written(rows: readonly Row[], written: Written): void
}

/**
 * Writes many rows in transactions of some 15 ms each, so that a server that runs beside it goes on. Where it is broken off,
 * what was written stays.
 */
export async function writeInPortions<Row extends { n: number }, Written>(
  ctx: Pick<Context, 'transaction'>,
  { rows, most, prepare, write, written }: Portioned<Row, Written>,
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
      const begun = performance.now()
      const result = await write(tx, portion)
      took = performance.now() - begun
      return result
    })
    written(portion, result)
    after = last.n
    const fitting = Math.floor((portion.length * aimedMilliseconds) / Math.max(took, 1))
    size = Math.max(fewest, Math.min(fitting, 2 * size, most))
    await delay(pauseMilliseconds)
  }
}

/** Looks at many rows, some at a time. */
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
