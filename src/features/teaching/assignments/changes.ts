import type { ClassAssignmentUpdate } from '../../../contract/assignments.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { fail } from '../../../errors.ts'
import { parseDateTime } from '../../../lib/date-time.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { checkStudents } from '../classes/class-groups.ts'
import type { ClassRow } from '../classes/store.ts'
import { recomputeGrants } from './access.ts'
import { type AssigneeChange, assigneesOf, changesStudents } from './assignees.ts'
import { attachmentsOf, saveAttachments } from './attachments.ts'
import { changedContent } from './content.ts'
import {
  needsPublicationJob,
  type Publication,
  isEditable,
  applyEvent,
  isPublished,
  isScheduled,
} from './lifecycle.ts'
import { type Attachment, listAttachments } from './attachments.store.ts'
import { recordChange } from './events.ts'
import { updateAssignmentRow } from './store.ts'
import { deleteAutomaticGroups, replaceAssignees } from './assignees.store.ts'
import { replaceExcused } from './excuses.store.ts'
import { notifyAssigned } from './notifications.ts'
import { makeWorkGroups } from './work-groups.ts'

/**
 * Applies the body of a request to an existing assignment.
 * @throws ASSIGNMENT_ARCHIVED, ASSIGNMENT_STATE_CONFLICT, and the errors of `attachmentsOf` and `assigneesOf`
 */
export async function changeAssignment(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  schoolClass: ClassRow,
  before: AssignmentsTable,
  body: ClassAssignmentUpdate,
): Promise<void> {
  if (!isEditable(before.state)) fail('ASSIGNMENT_ARCHIVED')
  const now = ctx.clock.now()
  const known = body.attachments ? ((await listAttachments(tx, [before.id])).get(before.id) ?? []) : []
  const attachments = body.attachments && (await attachmentsOf(tx, actor, body.attachments, known))
  const assignees = await assigneesOf(tx, schoolClass, before.id, body)
  const excused = body.excusedStudents && [...new Set(body.excusedStudents)]
  if (excused && excused.length > 0) await checkStudents(tx, schoolClass, excused, 'excusedStudents')
  if (await changesStudents(tx, before, assignees)) await deleteAutomaticGroups(tx, before.id)
  const after: AssignmentsTable = {
    ...before,
    ...changedContent(before, body, ctx.config.publicUrl),
    ...publicationAfter(before, body, now),
    due_at: body.dueDate === undefined ? before.due_at : timeOrNull(body.dueDate),
    assignee_mode: assignees.mode ?? before.assignee_mode,
    modified_at: now,
  }
  await saveAssignment(ctx, tx, schoolClass, after, {
    attached: attachments && { by: actor, attachments },
    assignees,
  })
  if (excused) await replaceExcused(tx, before.id, excused)
  await recordChange(ctx, tx, schoolClass, { before, after, actor: actor.id })
}

/**
 * Writes an assignment with its attachments and assignees, tells its students, and updates access grants and the publication job.
 */
export async function saveAssignment(
  ctx: Context,
  tx: Transaction,
  schoolClass: ClassRow,
  assignment: AssignmentsTable,
  {
    attached,
    assignees,
  }: {
    attached?: { by: Actor; attachments: readonly Attachment[] } | undefined
    assignees?: AssigneeChange | undefined
  } = {},
): Promise<void> {
  const { id } = assignment
  await updateAssignmentRow(tx, assignment)
  if (attached) await saveAttachments(ctx, tx, attached.by, id, attached.attachments)
  if (assignees) await replaceAssignees(tx, id, assignees)
  await makeWorkGroups(ctx, tx, schoolClass, assignment)
  await recomputeGrants(ctx, tx, schoolClass, assignment)
  await notifyAssigned(ctx, tx, schoolClass, assignment)
  await schedulePublication(ctx, tx, assignment)
}

/** Schedules the job that publishes an assignment on its scheduled date. */
export async function schedulePublication(
  { jobs, clock }: Context,
  tx: Transaction,
  assignment: Pick<AssignmentsTable, 'id'> & Publication,
): Promise<void> {
  const { id, scheduled_at } = assignment
  if (scheduled_at === null || !needsPublicationJob(assignment, clock.now())) return
  await jobs.enqueue(tx, {
    kind: 'publish-assignment',
    payload: { assignment: id },
    key: id,
    runAt: scheduled_at,
  })
}

/**
 * Returns the publication columns after a change. A scheduled date in the past publishes immediately. A
 * visible assignment cannot be hidden.
 * @throws ASSIGNMENT_STATE_CONFLICT
 */
export function publicationAfter(
  before: AssignmentsTable,
  { state, scheduledDate }: Pick<ClassAssignmentUpdate, 'state' | 'scheduledDate'>,
  now: number,
): Pick<AssignmentsTable, 'state' | 'published_at' | 'scheduled_at'> {
  const scheduled_at = scheduledDate === undefined ? before.scheduled_at : timeOrNull(scheduledDate)
  const isDue = scheduledDate !== undefined && scheduled_at !== null && scheduled_at <= now
  const publishes = state === 'active' || (isDue && before.state === 'draft')
  const to = publishes ? applyEvent(before, 'publish', now) : before
  if (!to || (state === 'draft' && before.state !== 'draft'))
    fail('ASSIGNMENT_STATE_CONFLICT', { param: 'state' })
  if (isPublished(before, now) && isScheduled({ state: to.state, scheduled_at }, now)) {
    fail('ASSIGNMENT_STATE_CONFLICT', { param: 'scheduledDate' })
  }
  return { state: to.state, published_at: to.published_at, scheduled_at }
}

const timeOrNull = (text: string | null) => (text === null ? null : parseDateTime(text))
