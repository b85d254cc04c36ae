import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import { beginsToCount, type Event, type State, transition } from './lifecycle.ts'
import { canManage, checkRoomForClass, type LoadedClass, loadClass } from './policy.ts'
import { type ClassRow, updateClassState } from './store.ts'

/**
 * Lets something happen to the state of a class, for who manages it.
 * @param follow what follows from it elsewhere
 * @throws CLASS_STATE_CONFLICT, CLASSES_EXHAUSTED, and as `loadClass` does
 */
export async function changeState(
  ctx: Context,
  actor: Actor,
  id: string,
  event: Event,
  follow: (tx: Transaction, klass: ClassRow, before: State) => Promise<void>,
): Promise<LoadedClass> {
  return ctx.transaction(async (tx) => {
    const { klass, standing } = await loadClass(tx, actor, id, canManage)
    const to = transition(klass.state, event)
    if (!to) fail('CLASS_STATE_CONFLICT')
    if (beginsToCount(klass.state, to)) await checkRoomForClass(tx, klass.organization_id)
    const change = { from: klass.state, to, now: ctx.clock.now() }
    if (!(await updateClassState(tx, klass.id, change))) fail('CLASS_STATE_CONFLICT')
    const changed = { ...klass, state: to, modified_at: change.now }
    await follow(tx, changed, klass.state)
    return { klass: changed, standing }
  })
}
