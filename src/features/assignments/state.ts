import { fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import { saveAssignment } from './changes.ts'
import { type Event, transition } from './lifecycle.ts'
import { type LoadedAssignment, loadManagedAssignment } from './policy.ts'

/**
 * Lets something happen to the state of an assignment, for who manages its class.
 * @throws ASSIGNMENT_STATE_CONFLICT, and as `loadManagedAssignment` does
 */
export async function changeState(
  ctx: Context,
  actor: Actor,
  path: { class: string; assignment: string },
  event: Event,
): Promise<LoadedAssignment> {
  return ctx.transaction(async (tx) => {
    const { assignment, klass, standing } = await loadManagedAssignment(ctx, tx, actor, path)
    const state = transition(assignment.state, event)
    if (!state) fail('ASSIGNMENT_STATE_CONFLICT')
    const changed = { ...assignment, state, modified_at: ctx.clock.now() }
    await saveAssignment(ctx, tx, klass, changed)
    return { assignment: changed, klass, standing }
  })
}
