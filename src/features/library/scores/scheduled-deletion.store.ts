import type { Queries } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { immediateDeletion } from './trash.store.ts'
import { day } from '../../../lib/durations.ts'

const batchSize = 100

/** The time at which an item that is moved to the trash now is deleted permanently, in milliseconds. */
export const trashDeadline = ({ clock, config }: Context): number => clock.now() + config.trashDays * day

/** Tables whose rows have a scheduled deletion. */
type ScheduledTable = 'scores' | 'collections' | 'users'

/** Two runs of a job must agree that a row is due, with this time between them in milliseconds. */
const timeToAgree = day

/**
 * Deletes all rows of a table whose `deletion_at` had passed at an earlier run of the job, at least a day ago, the oldest
 * first. So a clock that is far ahead deletes nothing for a day, in which it can be corrected. A row that is restored
 * meanwhile is kept. What a user deletes at once is deleted in the first run.
 * @param deleteOne deletes one row if its `deletion_at` is at most the given time
 * @throws AggregateError with the number of failed deletions, after all other rows were deleted
 */
export async function deleteDue(
  ctx: Context,
  from: ScheduledTable,
  signal: AbortSignal,
  deleteOne: (id: string, time: number) => Promise<void>,
): Promise<void> {
  const agreed = await ctx.jobs.lastRun(ctx.db.read, `delete-${from}`, ctx.clock.now() - timeToAgree)
  const time = agreed ?? immediateDeletion
  const failures: unknown[] = []
  let after: DueRow | undefined
  do {
    const due = await listDue(ctx.db.read, from, time, after)
    for (const { id } of due) {
      signal.throwIfAborted()
      // A row that cannot be deleted must not block the rows after it.
      await deleteOne(id, time).catch((error) => failures.push(error))
    }
    after = due.at(-1)
  } while (after)
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${from} cannot be deleted`)
}

/** The scheduled deletion of one row. `deletion_at` is in milliseconds. */
interface DueRow {
  deletion_at: number
  id: string
}

/** Lists the next due rows, the longest overdue first. */
function listDue(
  queries: Queries,
  from: ScheduledTable,
  now: number,
  after: DueRow | undefined,
): Promise<DueRow[]> {
  return queries
    .selectFrom(from)
    .select((eb) => [eb.ref('deletion_at').$notNull().as('deletion_at'), 'id'])
    .where('deletion_at', '<=', now)
    .where((eb) =>
      eb(eb.refTuple('deletion_at', 'id'), '>', eb.tuple(after?.deletion_at ?? -1, after?.id ?? '')),
    )
    .orderBy('deletion_at')
    .orderBy('id')
    .limit(batchSize)
    .execute()
}
