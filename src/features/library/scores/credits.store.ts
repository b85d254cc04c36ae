import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'

const pendingById = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('scores')
    .where('id', '=', p('id'))
    .select(['id', 'owner_id', 'last_revision_id', 'pending_credits', 'modified_at'])
    .select(['instruments', 'duration', 'measures', 'tempo_qpm', 'key_fifths']),
)

/** A score with what a revision with other credits takes over from it. */
export type PendingScore = Awaited<ReturnType<typeof pendingById>>[number]

export async function findPending(queries: Queries, id: string): Promise<PendingScore | undefined> {
  const [row] = await pendingById(queries, { id })
  return row
}

/** Lists the scores of an account with pending credits. */
export async function listPendingOf(queries: Queries, owner: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('scores')
    .where('owner_id', '=', owner)
    .where('pending_credits', 'is not', null)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

interface WrittenCredits {
  id: string
  pending_credits: string | null
  last_revision_id: string
  /** The stored bytes of the new revision. */
  more: number
}

/** Notes that credits were written. The date of the change is that of their edit, so it stays. */
export const updateWrittenCredits = compiled((db, p: Params<WrittenCredits>) =>
  db
    .updateTable('scores')
    .set({ pending_credits: p('pending_credits'), last_revision_id: p('last_revision_id') })
    .set((eb) => ({ stored_bytes: eb('stored_bytes', '+', p('more')) }))
    .where('id', '=', p('id')),
)
