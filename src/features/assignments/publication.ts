import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { isOpenToStudents, isReadOnly, type State } from '../classes/lifecycle.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import { settleAccess } from './access.ts'
import { awaitPublication, saveAssignment } from './changes.ts'
import { happen, isScheduled } from './lifecycle.ts'
import { findAnyAssignment, listAssignmentPlaces } from './store.ts'

/** Publishes an assignment where its time has come, and asks to be called again where it has not. */
export async function publishDue(ctx: Context, tx: Transaction, id: string): Promise<void> {
  const assignment = await findAnyAssignment(tx, id)
  const klass = assignment && (await findClass(tx, { id: assignment.class_id, viewer: '' }))
  // In an archived class nothing changes; when it is opened again, this is asked for anew.
  if (!assignment || !klass || isReadOnly(klass.state) || assignment.scheduled_at === null) return
  const now = ctx.clock.now()
  const published = isScheduled(assignment, now) ? assignment : happen(assignment, 'publish', now)
  if (published) await saveAssignment(ctx, tx, klass, { ...assignment, ...published })
}

/** Lets the assignments of a class follow its state: what students see of them now, and what still waits for its time. */
export async function followClass(ctx: Context, tx: Transaction, klass: ClassRow, before: State): Promise<void> {
  const isNews =
    isOpenToStudents(klass.state) !== isOpenToStudents(before) || isReadOnly(klass.state) !== isReadOnly(before)
  for (const assignment of await listAssignmentPlaces(tx, klass.id)) {
    if (isNews) await settleAccess(ctx, tx, klass, assignment)
    await awaitPublication(ctx, tx, assignment)
  }
}
