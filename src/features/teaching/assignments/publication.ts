import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { isOpenToStudents, isReadOnly, type State } from '../classes/lifecycle.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import { recomputeGrants } from './access.ts'
import { schedulePublication, saveAssignment } from './changes.ts'
import { recordAssignmentEvent } from './events.ts'
import { notifyAssigned } from './notifications.ts'
import { applyEvent, isScheduled } from './lifecycle.ts'
import { findAnyAssignment, listAssignmentAccessRows } from './store.ts'

/** Publishes an assignment if its scheduled date has passed. Otherwise schedules the job again. */
export async function publishIfDue(ctx: Context, tx: Transaction, id: string): Promise<void> {
  const assignment = await findAnyAssignment(tx, id)
  const schoolClass = assignment && (await findClass(tx, { id: assignment.class_id, viewer: '' }))
  // Nothing changes in an archived class. When the class is unarchived, `followClass` schedules the job
  // again.
  if (!assignment || !schoolClass || isReadOnly(schoolClass.state) || assignment.scheduled_at === null) return
  const now = ctx.clock.now()
  const isDue = !isScheduled(assignment, now)
  const published = isDue ? applyEvent(assignment, 'publish', now) : assignment
  if (!published) return
  await saveAssignment(ctx, tx, schoolClass, { ...assignment, ...published })
  const event = { assignment: id, type: 'assignment.published', actor: null } as const
  if (isDue) await recordAssignmentEvent(ctx, tx, schoolClass, event)
}

/**
 * Updates access grants and publication jobs of all assignments after the state of their class has changed.
 */
export async function followClass(
  ctx: Context,
  tx: Transaction,
  schoolClass: ClassRow,
  before: State,
): Promise<void> {
  const isRelevant =
    isOpenToStudents(schoolClass.state) !== isOpenToStudents(before) ||
    isReadOnly(schoolClass.state) !== isReadOnly(before)
  for (const assignment of await listAssignmentAccessRows(tx, schoolClass.id)) {
    if (isRelevant) {
      await recomputeGrants(ctx, tx, schoolClass, assignment)
      await notifyAssigned(ctx, tx, schoolClass, assignment)
    }
    await schedulePublication(ctx, tx, assignment)
  }
}
