import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import type { OrganizationEventType } from '../../../contract/event-types.ts'
import type { ClassStateChange } from '../../../departure.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { recordEvent } from '../../people/events/events.ts'
import { startsCounting, type Event, transition } from './lifecycle.ts'
import { canManage, checkClassLimit, type LoadedClass, loadClass } from './policy.ts'
import { updateClassState } from './store.ts'

const eventOf = {
  activate: 'class.activated',
  archive: 'class.archived',
  unarchive: 'class.unarchived',
} as const satisfies Record<Event, OrganizationEventType>

/**
 * Applies an event to a class, for an actor who manages it.
 * @param afterChange updates other features, in the same transaction
 * @throws CLASS_STATE_CONFLICT, CLASSES_EXHAUSTED, and the errors of `loadClass`
 */
export async function changeState(
  ctx: Context,
  actor: Actor,
  id: string,
  event: Event,
  afterChange: (ctx: Context, tx: Transaction, change: ClassStateChange) => Promise<void>,
): Promise<LoadedClass> {
  return ctx.transaction(async (tx) => {
    const { schoolClass, relation } = await loadClass(tx, actor, id, canManage)
    const to = transition(schoolClass.state, event)
    if (!to) fail('CLASS_STATE_CONFLICT')
    if (startsCounting(schoolClass.state, to)) await checkClassLimit(tx, schoolClass.organization_id)
    const change = { from: schoolClass.state, to, now: ctx.clock.now() }
    if (!(await updateClassState(tx, schoolClass.id, change))) fail('CLASS_STATE_CONFLICT')
    const changed = { ...schoolClass, state: to, modified_at: change.now }
    await recordEvent(ctx, tx, {
      organization: schoolClass.organization_id,
      type: eventOf[event],
      actor: actor.id,
      objects: { class: schoolClass.id },
    })
    await afterChange(ctx, tx, { schoolClass: changed, before: schoolClass.state })
    return { schoolClass: changed, relation }
  })
}
