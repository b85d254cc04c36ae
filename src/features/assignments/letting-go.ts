import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { findClass } from '../classes/store.ts'
import { insertCopy } from '../collections/new-score.ts'
import { findScore } from '../scores/store.ts'
import { settleAccess } from './access.ts'
import { deleteAttachment, listScoresAttachedOf, updateAttachedScore } from './attached.ts'
import { findAnyAssignment, listMadeBy, updateMakerOf } from './store.ts'

/**
 * Leaves to classes what they work with when somebody goes who keeps the scores: copies that belong to who owns the class
 * now, where the one who goes has attached scores of their own for it. What others have attached of these was only shown to them,
 * and is not attached any more. The assignments belong to the class's owner. To be called after the classes have passed on.
 */
export async function leaveCopies(ctx: Context, tx: Transaction, user: string): Promise<void> {
  const copies = new Map<string, string>()
  const attached = await listScoresAttachedOf(tx, user)
  for (const { score_id, revision_id: revision, heir, organization_id: organization, ...place } of attached) {
    const key = JSON.stringify([heir, score_id, revision])
    const found =
      place.attached_by === user ? await findScore(tx, { id: score_id, viewer: heir, organization }) : undefined
    if (!found || found.score.trashed) {
      await deleteAttachment(tx, place)
      continue
    }
    const about = { title: found.score.title, collection: 'root', revision }
    const owner = { id: heir, organization, app: undefined }
    const copy = copies.get(key) ?? (await insertCopy(ctx, tx, owner, found.score, about)).score
    copies.set(key, copy)
    await updateAttachedScore(tx, place, { score: copy, by: heir })
  }
  for (const { id, heir } of await listMadeBy(tx, user)) await updateMakerOf(tx, [id], { from: user, to: heir })
  for (const id of new Set(attached.map(({ assignment_id }) => assignment_id))) {
    const assignment = await findAnyAssignment(tx, id)
    const klass = assignment && (await findClass(tx, { id: assignment.class_id, viewer: '' }))
    if (klass) await settleAccess(ctx, tx, klass, assignment)
  }
}
