import type { AssignmentState } from '../../../contract/assignments.ts'

export type Event = 'publish' | 'archive' | 'unarchive'

/** The transition table: for each event, the states that allow it and the next state. */
const transitions = {
  publish: { from: ['draft', 'active'], to: 'active' },
  archive: { from: ['draft', 'active', 'archived'], to: 'archived' },
  unarchive: { from: ['archived'], to: 'active' },
} as const satisfies Record<Event, { from: readonly AssignmentState[]; to: AssignmentState }>

/** Returns the next state; undefined when the current state does not allow the event. */
export function transition(state: AssignmentState, event: Event): AssignmentState | undefined {
  const { from, to } = transitions[event]
  return (from as readonly AssignmentState[]).includes(state) ? to : undefined
}

/** The columns that decide when students can see an assignment. Times are milliseconds since 1970. */
export interface Publication {
  state: AssignmentState
  /**
   * The time of publication; null for an assignment that was never published. An archived assignment may be
   * either.
   */
  published_at: number | null
  scheduled_at: number | null
}

/**
 * Applies an event. Returns undefined when the state does not allow it. An assignment that was not visible
 * when it was archived stays invisible.
 */
export function applyEvent(
  assignment: Publication,
  event: Event,
  now: number,
): Pick<Publication, 'state' | 'published_at'> | undefined {
  const state = transition(assignment.state, event)
  if (!state) return undefined
  if (event !== 'archive') return { state, published_at: assignment.published_at ?? now }
  return { state, published_at: isPublished(assignment, now) ? assignment.published_at : null }
}

/** Whether the assignment is visible to its assignees. */
export const isPublished = (
  { published_at, scheduled_at }: Pick<Publication, 'published_at' | 'scheduled_at'>,
  now: number,
): boolean => published_at !== null && !isInFuture(scheduled_at, now)

type Scheduled = Pick<Publication, 'state' | 'scheduled_at'>

/** Whether a publication job is required. A draft may still have a scheduled date that has passed. */
export const needsPublicationJob = (assignment: Scheduled, now: number): boolean =>
  isScheduled(assignment, now) || (isDraft(assignment.state) && assignment.scheduled_at !== null)

/** Whether the assignment becomes visible in the future. */
export const isScheduled = ({ state, scheduled_at }: Scheduled, now: number): boolean =>
  state !== 'archived' && isInFuture(scheduled_at, now)

const isInFuture = (time: number | null, now: number): boolean => time !== null && time > now

/** Whether the content can be changed. */
export const isEditable = (state: AssignmentState): boolean => state !== 'archived'

/** Whether students can have more than read access. */
export const isOpenToWork = (state: AssignmentState): boolean => state === 'active'

/** Whether the assignment has never been published. */
export const isDraft = (state: AssignmentState): boolean => state === 'draft'
