import type { Transaction } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import type { Actor, Context } from '../../operation.ts'
import type { ClassRow } from '../classes/store.ts'
import { deleteScoresAtOnce } from '../scores/store.ts'
import { copyAttachments } from './attachment-copies.ts'
import { publicationAfter, saveAssignment } from './changes.ts'
import { contentIn } from './content.ts'
import { insertNewAssignment } from './new-assignment.ts'
import { type LoadedAssignment, loadDraft, loadManagedAssignment } from './policy.ts'
import { listUntouchedCopies } from './attached.ts'

/** What to copy, and where: of a class or a library, into a class. */
export interface CopyToClass {
  source: AssignmentsTable
  klass: ClassRow
  /** A draft of the class that is to become the copy. */
  draft?: string | undefined
  scheduledDate?: string | undefined
}

/**
 * Puts a copy of an assignment into a class, with its scores: as a new draft, or into one that is there, which then says what
 * the other says. A due date that has passed is left out; whom the other was for is its own.
 * @throws ASSIGNMENT_NOT_FOUND, ASSIGNMENT_STATE_CONFLICT where the named one is not a draft any more, and as
 * `copyAttachments` does
 */
export async function copyToClass(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  { source, klass, draft: named, scheduledDate }: CopyToClass,
): Promise<LoadedAssignment> {
  const about = { title: source.title, creator: actor.id, class: klass.id }
  const path = { class: klass.id, assignment: named ?? (await insertNewAssignment(ctx, tx, about)).id }
  const { assignment: draft } = await loadDraft(ctx, tx, actor, path, { param: 'assignment' })
  const attachments = await copyAttachments(ctx, tx, actor, source.id)
  if (named !== undefined) await deleteEarlierCopies(ctx, tx, actor, draft.id)
  const modified_at = ctx.clock.now()
  const due_at = dueDateOf(source, draft, modified_at)
  const publication = publicationAfter(draft, { scheduledDate }, modified_at)
  const filled = { ...draft, ...contentIn(source), ...publication, due_at, modified_at }
  await saveAssignment(ctx, tx, klass, filled, { attachments })
  return loadManagedAssignment(ctx, tx, actor, path)
}

/** What is in a library is due at no time, and leaves it to the draft. */
function dueDateOf(source: AssignmentsTable, draft: AssignmentsTable, now: number): number | null {
  if (source.class_id === null) return draft.due_at
  return source.due_at !== null && source.due_at < now ? null : source.due_at
}

/** A draft that is filled again lets go of the scores that were made when it was filled before, and that nobody has used. */
async function deleteEarlierCopies(
  ctx: Pick<Context, 'jobs'>,
  tx: Transaction,
  { id: owner }: Actor,
  draft: string,
): Promise<void> {
  const copies = await listUntouchedCopies(tx, draft, owner)
  if (copies.length === 0) return
  await deleteScoresAtOnce(tx, copies)
  await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}
