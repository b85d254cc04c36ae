import type { Transaction } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import type { Actor, Context } from '../../operation.ts'
import { saveAssignment } from '../assignments/changes.ts'
import { contentIn } from '../assignments/content.ts'
import { insertNewAssignment } from '../assignments/new-assignment.ts'
import { type LoadedAssignment, loadDraft, loadManagedAssignment } from '../assignments/policy.ts'
import type { ClassRow } from '../classes/store.ts'
import { copyAttachments } from './copies.ts'

/**
 * Puts a copy of the assignment of a resource into a class, with its scores: as a new draft, or into one that is there,
 * which then says what the resource says.
 * @throws ASSIGNMENT_NOT_FOUND, ASSIGNMENT_STATE_CONFLICT where the named one is not a draft any more
 */
export async function copyToClass(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  klass: ClassRow,
  original: AssignmentsTable,
  named?: string,
): Promise<LoadedAssignment> {
  const about = { title: original.title, creator: actor.id, class: klass.id }
  const path = { class: klass.id, assignment: named ?? (await insertNewAssignment(ctx, tx, about)).id }
  const { assignment: draft } = await loadDraft(ctx, tx, actor, path, { param: 'assignment' })
  const attachments = await copyAttachments(ctx, tx, actor, original)
  const filled = { ...draft, ...contentIn(original), modified_at: ctx.clock.now() }
  await saveAssignment(ctx, tx, klass, filled, { attachments })
  return loadManagedAssignment(ctx, tx, actor, path)
}
