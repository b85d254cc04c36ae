import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import { findClass } from '../classes/store.ts'
import { saveAssignment } from './changes.ts'
import { isScheduled, transition } from './lifecycle.ts'
import { findAnyAssignment } from './store.ts'

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
