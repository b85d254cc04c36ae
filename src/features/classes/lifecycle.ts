import type { ClassState } from '../../contract/classes.ts'

/** The states that a class can be in; `deleted` is a word of the interface for what is gone. */
export type State = Exclude<ClassState, 'deleted'>

export type Event = 'archive' | 'unarchive' | 'activate'

/** Every change of state there is: an event, the states in which it may happen, and what comes of it. */
const transitions = {
  archive: { from: ['active', 'inactive', 'archived'], to: 'archived' },
  unarchive: { from: ['archived'], to: 'active' },
  activate: { from: ['inactive'], to: 'active' },
} as const satisfies Record<Event, { from: readonly State[]; to: State }>

/** The state that an event leads to; undefined where it cannot happen. */
export function transition(state: State, event: Event): State | undefined {
  const { from, to } = transitions[event]
  return (from as readonly State[]).includes(state) ? to : undefined
}

/** Whether anything of a class may be changed but its state. */
export const isReadOnly = (state: State): boolean => state === 'archived'

/** The states of those classes that count among the ones that their organization may have at a time. */
export const countedStates: readonly State[] = ['active', 'inactive']

/** Whether a class counts from now on that did not before. */
export const beginsToCount = (from: State, to: State): boolean =>
  !countedStates.includes(from) && countedStates.includes(to)

/** Whether students find it: one that is inactive is not set up yet. */
export const isOpenToStudents = (state: State): boolean => state !== 'inactive'
