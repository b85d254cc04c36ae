import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { Failure, fail } from '../../../errors.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { isForeignKeyViolation } from '../../../platform/db/violations.ts'
import { deleteLease, insertLease, updateLease } from './export-leases.store.ts'

/** Milliseconds after which a lease expires that its process has not extended, because the process ended. */
const leaseTime = 15_000

/** Milliseconds between two looks for the export that another process makes. */
const pollInterval = 250

/**
 * Milliseconds after which a process no longer waits for another one, and makes the export itself: the work of the other one may
 * stand in a long queue, for example as the job of a task.
 */
const maxWait = 30_000

/** A lease may be lost when the machine crashes: no process runs then. */
const notDurable = { durable: false }

/**
 * Makes an export in one of the processes that were asked for it at the same time. The others wait until it is stored. If it
 * fails, the next of them makes it. After 30 s each of them makes it.
 * @param find returns the stored export
 * @param make makes and stores the export
 * @throws the errors of `find` and `make`, the reason of `signal`, SCORE_NOT_FOUND if the revision was deleted
 */
export async function makeInOneProcess<Result>(
  ctx: Context,
  key: { readonly revision: string; readonly variant: string },
  signal: AbortSignal | undefined,
  find: () => Promise<Result | undefined>,
  make: () => Promise<Result>,
): Promise<Result> {
  const waitUntil = ctx.clock.now() + maxWait
  for (;;) {
    const lease = await takeLease(ctx, key)
    try {
      const found = await find()
      if (found !== undefined) return found
      if (lease || ctx.clock.now() >= waitUntil) return await make()
    } finally {
      await lease?.release()
    }
    await delay(pollInterval)
    signal?.throwIfAborted()
  }
}

interface Lease {
  release(): Promise<void>
}

/** Returns undefined while another process has the lease. */
async function takeLease(
  ctx: Context,
  { revision, variant }: { readonly revision: string; readonly variant: string },
): Promise<Lease | undefined> {
  const held = { revision_id: revision, variant, lease: ctx.newId() }
  const write = (change: (tx: Transaction, now: number) => Promise<number>) =>
    ctx.transaction((tx) => change(tx, ctx.clock.now()), notDurable)
  try {
    const taken = await write((tx, now) => insertLease(tx, { ...held, until: now + leaseTime, now }))
    if (taken === 0) return undefined
  } catch (error) {
    if (isForeignKeyViolation(error)) fail('SCORE_NOT_FOUND')
    // An export can be made without a lease, for example while the disk is full. Another process may make it as well.
    if (error instanceof Failure) return { release: async () => {} }
    throw error
  }
  const ignore = () => {}
  const extend = () => {
    write((tx, now) => updateLease(tx, { ...held, until: now + leaseTime })).catch(ignore)
  }
  const timer = setInterval(extend, leaseTime / 3).unref()
  return {
    async release() {
      clearInterval(timer)
      // It expires by itself.
      await write((tx) => deleteLease(tx, held)).catch(ignore)
    },
  }
}
