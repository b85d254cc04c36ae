import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries } from '../../../platform/db/database.ts'

const statesById = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db
    .selectFrom('scores')
    .where(p.isIn('id', 'ids'))
    .select(['id', 'last_revision_id as revision', 'modified_at as modified', 'trashed', 'deletion_at'])
    .select(['comment_changes as comments', 'sharing_changes as sharing']),
)

/** What of a score changes while readers have it open. */
export type ScoreState = Omit<Awaited<ReturnType<typeof statesById>>[number], 'id'>

/** Returns the states of these scores, by id. A score that does not exist has none. */
export async function readStates(queries: Queries, ids: readonly string[]): Promise<Map<string, ScoreState>> {
  const rows = await statesById(queries, { ids })
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}
