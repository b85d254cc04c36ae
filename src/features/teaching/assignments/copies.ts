import type { Transaction } from '../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import type { ClassRow } from '../classes/store.ts'
import { scheduleImmediateDeletion } from '../../library/scores/trash.store.ts'
import { copyAttachments } from './attachment-copies.ts'
import { publicationAfter, saveAssignment } from './changes.ts'
import { contentColumns } from './content.ts'
import { recordChange } from './events.ts'
import { insertNewAssignment } from './new-assignment.ts'
import { type LoadedAssignment, loadDraft, loadManagedAssignment } from './policy.ts'
import { listUntouchedCopies } from './attachments.store.ts'

/** The source and the target of a copy to a class. */
export interface CopyToClass {
  source: AssignmentsTable
  schoolClass: ClassRow
  /** The id of the draft to fill; undefined to create a new one. */
  draft?: string | undefined
  scheduledDate?: string | undefined
}

/**
 * Copies an assignment with its scores to a class: to a new draft, or to an existing draft whose content is
 * replaced. A due date in the past and the assignees are not copied.
 * @throws ASSIGNMENT_NOT_FOUND, ASSIGNMENT_STATE_CONFLICT when the existing assignment is not a draft, and
 *   the errors of `copyAttachments`
 */
export async function copyToClass(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  { source, schoolClass, draft: draftId, scheduledDate }: CopyToClass,
): Promise<LoadedAssignment> {
  const properties = { title: source.title, creator: actor.id, class: schoolClass.id }
  const path = {
    class: schoolClass.id,
    assignment: draftId ?? (await insertNewAssignment(ctx, tx, properties)).id,
  }
  const { assignment: draft } = await loadDraft(ctx, tx, actor, path, { param: 'assignment' })
  const attachments = await copyAttachments(ctx, tx, actor, source.id)
  if (draftId !== undefined) await deleteEarlierCopies(ctx, tx, actor, draft.id)
  const modified_at = ctx.clock.now()
  const due_at = dueDateOf(source, draft, modified_at)
  const publication = publicationAfter(draft, { scheduledDate }, modified_at)
  const copy = { ...draft, ...contentColumns(source), ...publication, due_at, modified_at }
  await saveAssignment(ctx, tx, schoolClass, copy, { attached: { by: actor, attachments } })
  await recordChange(ctx, tx, schoolClass, { before: draft, after: copy, actor: actor.id })
  return loadManagedAssignment(ctx, tx, actor, path)
}

/** Returns the due date of the copy. Assignments in a library have none, so the draft keeps its own. */
function dueDateOf(source: AssignmentsTable, draft: AssignmentsTable, now: number): number | null {
  if (source.class_id === null) return draft.due_at
  return source.due_at !== null && source.due_at < now ? null : source.due_at
}

/** Deletes the copies from an earlier copy to the same draft, unless they are used otherwise. */
async function deleteEarlierCopies(
  ctx: Pick<Context, 'jobs'>,
  tx: Transaction,
  { id: owner }: Actor,
  draft: string,
): Promise<void> {
  const copies = await listUntouchedCopies(tx, draft, owner)
  if (copies.length === 0) return
  await scheduleImmediateDeletion(tx, copies)
  await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}
