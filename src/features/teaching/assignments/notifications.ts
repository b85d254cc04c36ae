import type { Context } from '../../../context.ts'
import { day } from '../../../lib/durations.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { keptDays } from '../../people/notifications/limits.ts'
import { notify } from '../../people/notifications/new-notifications.ts'
import type { ClassRow } from '../classes/store.ts'
import { listAssignees, listGroupMembers } from './assignees.store.ts'
import { isOpenToWork } from './lifecycle.ts'
import { isOpenToClass } from './policy.ts'
import type { AssignmentAccessRow } from './store.ts'

/**
 * Tells the students of an assignment about it, if they can see it. Call it after every change of the assignment, its
 * assignees or its visibility: a student is told once.
 */
export async function notifyAssigned(
  ctx: Pick<Context, 'newId' | 'clock'>,
  tx: Transaction,
  schoolClass: ClassRow,
  assignment: AssignmentAccessRow,
): Promise<void> {
  const now = ctx.clock.now()
  const { id, published_at, scheduled_at, state } = assignment
  if (!isOpenToWork(state) || !isOpenToClass(assignment, schoolClass, now)) return
  // The first notification of an older assignment may be deleted.
  if (Math.max(published_at ?? 0, scheduled_at ?? 0) < now - keptDays * day) return
  const recipients = await studentsOf(tx, schoolClass, assignment)
  const of = { class_id: schoolClass.id, assignment_id: id, submission_id: null }
  await notify(ctx, tx, { kind: 'assigned', ...of, by: assignment.creator_id, recipients }, 'keep')
}

/** Returns the ids of the students to whom an assignment is assigned. */
export async function studentsOf(
  tx: Transaction,
  { students_group_id }: Pick<ClassRow, 'students_group_id'>,
  { id, assignee_mode }: Pick<AssignmentAccessRow, 'id' | 'assignee_mode'>,
): Promise<string[]> {
  const assignees = assignee_mode === 'everyone' ? undefined : await listAssignees(tx, [id])
  const groups = assignees ? (assignees.groups.get(id) ?? []).map((group) => group.id) : [students_group_id]
  const members = groups.length > 0 ? await listGroupMembers(tx, groups) : []
  const named = assignees?.students.get(id) ?? []
  return [...named.map((student) => student.id), ...members.map(({ user_id }) => user_id)]
}
