import type { Queries, Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'

const day = 24 * 60 * 60 * 1000
const atATime = 100

/** When what is put into the trash now is deleted for good. */
export const endOfTrash = ({ clock, config }: Context): number => clock.now() + config.trashDays * day

/** What can be in the trash. */
type Trashable = 'scores' | 'collections'

/** What has a time at which it is deleted. */
type Ending = Trashable | 'users'

/** Deletes the scores or the collections whose time in the trash is over. @throws as `deleteDue` does */
export const emptyTrash = (ctx: Context, of: Trashable, signal: AbortSignal): Promise<void> =>
  deleteDue(ctx, of, signal, (id) => ctx.transaction((tx) => deleteIfDue(tx, of, id, ctx.clock.now())))

/**
 * Deletes the scores or the collections whose time in the trash is over, or removed users whose time is; one that was
 * brought back meanwhile stays.
 * @param deleteOne deletes this one, if it is still due
 * @throws AggregateError naming how many could not be deleted, after all others were
 */
export async function deleteDue(
  ctx: Context,
  from: Ending,
  signal: AbortSignal,
  deleteOne: (id: string) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  let after: Trashed | undefined
  do {
    const due = await listDue(ctx.db.read, from, ctx.clock.now(), after)
    for (const { id } of due) {
      if (signal.aborted) return
      // One that cannot be deleted must not keep those behind it.
      await deleteOne(id).catch((error) => failures.push(error))
    }
    after = due.at(-1)
  } while (after)
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${from} cannot be deleted`)
}

/** Something in the trash: when its time there is over, and its id. */
interface Trashed {
  deletion_at: number
  id: string
}

/** What is due, that first which is due the longest. */
function listDue(queries: Queries, from: Ending, now: number, after: Trashed | undefined): Promise<Trashed[]> {
  return queries
    .selectFrom(from)
    .select((eb) => [eb.ref('deletion_at').$notNull().as('deletion_at'), 'id'])
    .where('deletion_at', '<=', now)
    .where((eb) => eb(eb.refTuple('deletion_at', 'id'), '>', eb.tuple(after?.deletion_at ?? -1, after?.id ?? '')))
    .orderBy('deletion_at')
    .orderBy('id')
    .limit(atATime)
    .execute()
}

/** With all else that hangs on it. */
async function deleteIfDue(tx: Transaction, from: Trashable, id: string, now: number): Promise<void> {
  await tx.deleteFrom(from).where('id', '=', id).where('deletion_at', '<=', now).execute()
}
