import { fail } from '../../errors.ts'
import type { Transaction } from '../../db/database.ts'
import type { Actor, Context } from '../../operation.ts'
import { saveAssignment } from './changes.ts'
import { type Event, happen } from './lifecycle.ts'
import { type LoadedAssignment, loadManagedAssignment } from './policy.ts'

/**
 * Lets something happen to the state of an assignment, for who manages its class.
 * @param follow what follows from it elsewhere
 * @throws ASSIGNMENT_STATE_CONFLICT, and as `loadManagedAssignment` does
 */
export async function changeState(
  ctx: Context,
  actor: Actor,
  path: { class: string; assignment: string },
  event: Event,
  follow: (tx: Transaction, assignment: string) => Promise<void>,
): Promise<LoadedAssignment> {
  return ctx.transaction(async (tx) => {
    const { assignment, klass, standing } = await loadManagedAssignment(ctx, tx, actor, path)
    const now = ctx.clock.now()
    const came = happen(assignment, event, now)
    if (!came) fail('ASSIGNMENT_STATE_CONFLICT')
    const changed = { ...assignment, ...came, modified_at: now }
    await saveAssignment(ctx, tx, klass, changed)
    await follow(tx, changed.id)
    return { assignment: changed, klass, standing }
  })
}
