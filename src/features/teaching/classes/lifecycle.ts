import type { ClassState } from '../../../contract/classes.ts'

/** The states of a class. The interface also has `deleted`, which is never stored. */
export type State = Exclude<ClassState, 'deleted'>

export type Event = 'archive' | 'unarchive' | 'activate'

/** The transition table: for each event, the states that allow it and the next state. */
const transitions = {
  archive: { from: ['active', 'inactive', 'archived'], to: 'archived' },
  unarchive: { from: ['archived'], to: 'active' },
  activate: { from: ['inactive'], to: 'active' },
} as const satisfies Record<Event, { from: readonly State[]; to: State }>

/** Returns the next state; undefined when the current state does not allow the event. */
export function transition(state: State, event: Event): State | undefined {
  const { from, to } = transitions[event]
  return (from as readonly State[]).includes(state) ? to : undefined
}

/** Whether only the state of the class can be changed. */
export const isReadOnly = (state: State): boolean => state === 'archived'

/** The states of classes that count toward the organization's limit. */
export const limitedStates: readonly State[] = ['active', 'inactive']

/** Whether a transition increases the number of classes that count toward the limit. */
export const startsCounting = (from: State, to: State): boolean =>
  !limitedStates.includes(from) && limitedStates.includes(to)

/** Whether students can see the class. An inactive class is not set up yet. */
export const isOpenToStudents = (state: State): boolean => state !== 'inactive'
