import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { AccessLevel, GrantsTable } from '../../../platform/db/tables.ts'
import { updateGrantCount } from './grants.store.ts'

/** Access to a score that an assignment gives to a user or a group. */
export interface AssignmentGrant {
  score: string
  holder: { user: string } | { group: string }
  level: AccessLevel
}

/**
 * Merges grants to the same holder on the same score and keeps the strongest. Several parts of an assignment
 * can use the same score.
 */
function mergeGrants(grants: readonly AssignmentGrant[]): AssignmentGrant[] {
  const strongest = new Map<string, AssignmentGrant>()
  for (const grant of grants) {
    const key = JSON.stringify([grant.score, grant.holder])
    if ((strongest.get(key)?.level ?? 0) < grant.level) strongest.set(key, grant)
  }
  return [...strongest.values()]
}

/**
 * Replaces the grants that an assignment, or a submission to it, gives. Direct grants are not changed. A
 * user's strongest grant counts.
 */
export async function replaceAssignmentGrants(
  tx: Transaction,
  { assignment, submission = null }: { assignment: string; submission?: string | null },
  grants: readonly AssignmentGrant[],
  { newId, by, now }: { newId: () => string; by: string; now: number },
): Promise<void> {
  const stored = await tx
    .selectFrom('grants')
    .where('assignment_id', '=', assignment)
    .where('submission_id', submission === null ? 'is' : '=', submission)
    .select(['id', 'score_id', 'user_id', 'group_id', 'level'])
    .execute()
  const rows = mergeGrants(grants).map(({ score, holder, level }) => ({
    score_id: score,
    user_id: 'user' in holder ? holder.user : null,
    group_id: 'group' in holder ? holder.group : null,
    level,
  }))
  const keyOf = (row: Pick<GrantsTable, 'score_id' | 'user_id' | 'group_id' | 'level'>) =>
    JSON.stringify([row.score_id, row.user_id, row.group_id, row.level])
  const [before, after] = [new Set(stored.map(keyOf)), new Set(rows.map(keyOf))]
  const removed = stored.filter((row) => !after.has(keyOf(row)))
  const added = rows.filter((row) => !before.has(keyOf(row)))
  if (removed.length > 0) await deleteByIds(tx, { ids: removed.map(({ id }) => id) })
  const rest = {
    collection_id: null,
    email: null,
    email_key: null,
    token_hash: null,
    created_by: by,
    created_at: now,
  }
  const from = { ...rest, assignment_id: assignment, submission_id: submission }
  for (let start = 0; start < added.length; start += insertBatchSize) {
    const batch = added.slice(start, start + insertBatchSize).map((row) => ({ ...row, ...from, id: newId() }))
    await tx.insertInto('grants').values(batch).execute()
  }
  const scores = new Set([...removed, ...added].flatMap(({ score_id }) => score_id ?? []))
  if (scores.size > 0) await updateGrantCounts(tx, { scores: [...scores] })
}

/**
 * Number of rows in one insert statement. An assignment with many scores and many students needs one row for
 * each pair.
 */
const insertBatchSize = 200

const deleteByIds = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.deleteFrom('grants').where(p.isIn('id', 'ids')),
)

/** Deletes the grants that these assignments give to a user. */
export async function deleteAssignmentGrantsOf(
  tx: Transaction,
  user: string,
  assignments: readonly string[],
): Promise<void> {
  for (const assignment of assignments) {
    const removed = await tx
      .deleteFrom('grants')
      .where('assignment_id', '=', assignment)
      .where('user_id', '=', user)
      .returning('score_id')
      .execute()
    for (const { score_id } of removed) await updateGrantCount(tx, { on: 'score', id: score_id ?? '' })
  }
}

const deleteBySubmissions = compiled((db, p: Params<{ submissions: readonly string[] }>) =>
  db.deleteFrom('grants').where(p.isIn('submission_id', 'submissions')).returning('score_id'),
)
const updateGrantCounts = compiled((db, p: Params<{ scores: readonly string[] }>) =>
  db
    .updateTable('scores')
    .set((eb) => ({
      sharing_changes: eb('sharing_changes', '+', 1),
      grants: eb
        .selectFrom('grants')
        .whereRef('grants.score_id', '=', 'scores.id')
        .select((count) => count.fn.countAll<number>().as('count')),
    }))
    .where(p.isIn('id', 'scores')),
)

/** Deletes the grants that these submissions give. */
export async function deleteSubmissionGrants(tx: Transaction, submissions: readonly string[]): Promise<void> {
  const removed = await deleteBySubmissions(tx, { submissions })
  if (removed.length > 0)
    await updateGrantCounts(tx, { scores: removed.flatMap(({ score_id }) => score_id ?? []) })
}
