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

/** When an assignment is seen. Times are milliseconds since 1970. */
export interface Publication {
  state: AssignmentState
  /** When it was published; null while it was not. The archive does not say: drafts are put there as well. */
  published_at: number | null
  scheduled_at: number | null
}

/** What becomes of an assignment by an event; undefined where that cannot happen. What was not seen when it was archived stays unseen. */
export function happen(
  assignment: Publication,
  event: Event,
  now: number,
): Pick<Publication, 'state' | 'published_at'> | undefined {
  const state = transition(assignment.state, event)
  if (!state) return undefined
  if (event !== 'archive') return { state, published_at: assignment.published_at ?? now }
  return { state, published_at: isPublished(assignment, now) ? assignment.published_at : null }
}

/** Whether students see it, where it is for them. */
export const isPublished = (
  { published_at, scheduled_at }: Pick<Publication, 'published_at' | 'scheduled_at'>,
  now: number,
): boolean => published_at !== null && !isAhead(scheduled_at, now)

type Scheduled = Pick<Publication, 'state' | 'scheduled_at'>

/** Whether something is still to be done when its time comes; a draft may have waited longer than that. */
export const awaitsPublication = (assignment: Scheduled, now: number): boolean =>
  isScheduled(assignment, now) || (isDraft(assignment.state) && assignment.scheduled_at !== null)

/** Whether it waits for its time to be seen. */
export const isScheduled = ({ state, scheduled_at }: Scheduled, now: number): boolean =>
  state !== 'archived' && isAhead(scheduled_at, now)

const isAhead = (time: number | null, now: number): boolean => time !== null && time > now

/** Whether its content may be changed. */
export const isEditable = (state: AssignmentState): boolean => state !== 'archived'

/** Whether students may still be given more than reading. */
export const isOpenToWork = (state: AssignmentState): boolean => state === 'active'

/** Whether it can be published for the first time. */
export const isDraft = (state: AssignmentState): boolean => state === 'draft'
