import type { ClassAttachmentCreation } from '../../contract/attachments.ts'
import type { Transaction } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import type { Actor, Context } from '../../operation.ts'
import type { ClassRow } from '../classes/store.ts'
import { attachmentsOf } from './attachments.ts'
import { publicationAfter, saveAssignment } from './changes.ts'
import { contentIn } from './content.ts'
import { type Attachment, listAttachments } from './store.ts'

/**
 * Fills a draft of a class with what another assignment says and has attached. A due date that has passed is left out; whom
 * the other was for is its own.
 * @throws as `attachmentsOf` does, of scores that the actor may not pass on
 */
export async function fillDraft(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  {
    source,
    draft,
    klass,
    scheduledDate,
  }: { source: AssignmentsTable; draft: AssignmentsTable; klass: ClassRow; scheduledDate?: string | undefined },
): Promise<void> {
  const now = ctx.clock.now()
  const rows = (await listAttachments(tx, [source.id])).get(source.id) ?? []
  const attachments = await attachmentsOf(tx, actor, rows.map(asNamed))
  const isPast = source.due_at !== null && source.due_at < now
  const due_at = isPast ? null : source.due_at
  const publication = publicationAfter(draft, { scheduledDate }, now)
  const filled = { ...draft, ...contentIn(source), ...publication, due_at, modified_at: now }
  await saveAssignment(ctx, tx, klass, filled, { attachments })
}

/** An attachment as a body would name it. */
function asNamed(row: Attachment): ClassAttachmentCreation {
  return {
    type: row.type,
    score: row.score_id ?? undefined,
    revision: row.revision_id ?? undefined,
    partUuid: row.part_uuid ?? undefined,
    sharingMode: row.sharing_mode ?? undefined,
    lockScoreTemplate: row.lock_score_template === 1,
    worksheet: row.worksheet ?? undefined,
    url: row.url ?? undefined,
    googleDriveFileId: row.google_drive_file_id ?? undefined,
    teacherOnly: row.teacher_only === 1,
  }
}
