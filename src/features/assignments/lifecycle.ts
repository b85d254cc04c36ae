import type { AssignmentState } from '../../contract/assignments.ts'

export type Event = 'publish' | 'archive' | 'unarchive'

/** Every change of state there is: an event, the states in which it may happen, and what comes of it. */
const transitions = {
  publish: { from: ['draft', 'active'], to: 'active' },
  archive: { from: ['draft', 'active', 'archived'], to: 'archived' },
  unarchive: { from: ['archived'], to: 'active' },
} as const satisfies Record<Event, { from: readonly AssignmentState[]; to: AssignmentState }>

/** The state that an event leads to; undefined where it cannot happen. */
export function transition(state: AssignmentState, event: Event): AssignmentState | undefined {
  const { from, to } = transitions[event]
  return (from as readonly AssignmentState[]).includes(state) ? to : undefined
}

/** When an assignment is seen. */
export interface Publication {
  state: AssignmentState
  scheduled_at: number | null
}

/** Whether students see it, where it is for them. */
export const isPublished = ({ state, scheduled_at }: Publication, now: number): boolean =>
  state !== 'draft' && !isAhead(scheduled_at, now)

/** Whether something is still to be done when its time comes; a draft may have waited longer than that. */
export const awaitsPublication = (assignment: Publication, now: number): boolean =>
  isScheduled(assignment, now) || (isDraft(assignment.state) && assignment.scheduled_at !== null)

/** Whether it waits for its time to be seen. */
export const isScheduled = ({ state, scheduled_at }: Publication, now: number): boolean =>
  state !== 'archived' && isAhead(scheduled_at, now)

const isAhead = (time: number | null, now: number): boolean => time !== null && time > now

/** Whether its content may be changed. */
export const isEditable = (state: AssignmentState): boolean => state !== 'archived'

/** Whether students may still be given more than reading. */
export const isOpenToWork = (state: AssignmentState): boolean => state === 'active'

/** Whether it can be published for the first time. */
export const isDraft = (state: AssignmentState): boolean => state === 'draft'
