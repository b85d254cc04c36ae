import { fail } from '../../../errors.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { saveAssignment } from './changes.ts'
import { recordAssignmentEvent } from './events.ts'
import { type Event, applyEvent } from './lifecycle.ts'
import { type LoadedAssignment, loadManagedAssignment } from './policy.ts'

const eventOf = {
  publish: 'assignment.published',
  archive: 'assignment.archived',
  unarchive: 'assignment.unarchived',
} as const satisfies Record<Event, string>

/**
 * Applies an event to an assignment, for an actor who manages the class.
 * @param follow updates other features after the change, in the same transaction
 * @throws ASSIGNMENT_STATE_CONFLICT, and the errors of `loadManagedAssignment`
 */
export async function changeState(
  ctx: Context,
  actor: Actor,
  path: { class: string; assignment: string },
  event: Event,
  follow: (tx: Transaction, assignment: string) => Promise<void>,
): Promise<LoadedAssignment> {
  return ctx.transaction(async (tx) => {
    const { assignment, schoolClass, relation } = await loadManagedAssignment(ctx, tx, actor, path)
    const now = ctx.clock.now()
    const result = applyEvent(assignment, event, now)
    if (!result) fail('ASSIGNMENT_STATE_CONFLICT')
    const changed = { ...assignment, ...result, modified_at: now }
    await saveAssignment(ctx, tx, schoolClass, changed)
    const recorded = { assignment: changed.id, type: eventOf[event], actor: actor.id }
    await recordAssignmentEvent(ctx, tx, schoolClass, recorded)
    await follow(tx, changed.id)
    return { assignment: changed, schoolClass, relation }
  })
}
