import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { isOpenToStudents, isReadOnly, type State } from '../classes/lifecycle.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import { settleAccess } from './access.ts'
import { awaitPublication, saveAssignment } from './changes.ts'
import { isScheduled, transition } from './lifecycle.ts'
import { findAnyAssignment, listAssignmentsOf } from './store.ts'

/** Publishes an assignment where its time has come, and asks to be called again where it has not. */
export async function publishDue(ctx: Context, tx: Transaction, id: string): Promise<void> {
  const assignment = await findAnyAssignment(tx, id)
  const klass = assignment && (await findClass(tx, { id: assignment.class_id, viewer: '' }))
  // In an archived class nothing changes; when it is opened again, this is asked for anew.
  if (!assignment || !klass || isReadOnly(klass.state) || assignment.scheduled_at === null) return
  const isDue = !isScheduled(assignment, ctx.clock.now())
  const state = isDue ? transition(assignment.state, 'publish') : assignment.state
  if (state) await saveAssignment(ctx, tx, klass, { ...assignment, state })
}

/** Lets the assignments of a class follow its state: what students see of them now, and what still waits for its time. */
export async function followClass(ctx: Context, tx: Transaction, klass: ClassRow, before: State): Promise<void> {
  const isNews = isOpenToStudents(klass.state) !== isOpenToStudents(before)
  for (const assignment of await listAssignmentsOf(tx, { class: klass.id, viewer: '' })) {
    if (isNews) await settleAccess(ctx, tx, klass, assignment)
    await awaitPublication(ctx, tx, assignment)
  }
}
