import type { Transaction } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import type { Actor, Context } from '../../operation.ts'
import { type Attachment, listAttachments } from '../assignments/store.ts'
import { insertCopy } from '../collections/new-score.ts'
import { placingOf } from '../collections/policy.ts'
import { canRead, loadScore, mayRead } from '../scores/policy.ts'

/**
 * What is attached to an assignment, for a copy of it that is the actor's. Its scores come along as scores of the actor's,
 * which belong to no collection: what becomes of the originals does not change the copy. What the actor may not read is
 * left out.
 */
export async function copyAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  assignment: Pick<AssignmentsTable, 'id'>,
): Promise<Attachment[]> {
  const attached = (await listAttachments(tx, [assignment.id])).get(assignment.id) ?? []
  const copies: Attachment[] = []
  for (const attachment of attached) {
    if (attachment.score_id === null) copies.push(attachment)
    else if (await mayRead(tx, actor, attachment.score_id)) {
      const { score: original } = await loadScore(tx, actor, attachment.score_id, canRead)
      if (original.trashed) continue
      const placing = placingOf(actor)
      const { score } = await insertCopy(ctx, tx, placing, original, { title: original.title, collection: 'root' })
      copies.push({ ...attachment, score_id: score, revision_id: null })
    }
  }
  return copies
}
