import type { ClassAssignment } from '../../../src/contract/assignments.ts'
import type { AssignmentSubmission } from '../../../src/contract/submissions.ts'

/** What a student has to know about an assignment: what to do, or what has happened to the work. */
export type WorkState =
  | 'toRead'
  | 'toDo'
  | 'started'
  | 'missing'
  | 'excused'
  | 'turnedIn'
  | 'returned'
  | 'graded'

type Facts = Pick<ClassAssignment, 'type' | 'dueDate'> & {
  /** The submission of the student. Without it the student has not started. */
  readonly submission: Pick<AssignmentSubmission, 'state'> | undefined
  /** Whether the student need not do it. */
  readonly isExcused?: boolean
}

/** @param now milliseconds since 1970 */
export function workStateOf({ type, dueDate, submission, isExcused }: Facts, now: number): WorkState {
  const state = submission?.state
  if (state === 'turnedIn' || state === 'returned' || state === 'graded') return state
  if (isExcused) return 'excused'
  if (type === 'none') return 'toRead'
  if (dueDate !== undefined && Date.parse(dueDate) < now) return 'missing'
  return state === 'created' ? 'started' : 'toDo'
}

/** Whether the student still has something to hand in. */
export const isOpen = (state: WorkState): boolean =>
  state === 'toDo' || state === 'started' || state === 'missing'

type Dated = Pick<ClassAssignment, 'dueDate' | 'creationDate'>

/** Sorts by due date. What is not due comes last, the newest first. */
export function byDueDate(one: Dated, other: Dated): number {
  if (one.dueDate !== undefined && other.dueDate !== undefined)
    return Date.parse(one.dueDate) - Date.parse(other.dueDate)
  if (one.dueDate !== undefined || other.dueDate !== undefined) return one.dueDate === undefined ? 1 : -1
  return Date.parse(other.creationDate) - Date.parse(one.creationDate)
}

/** How far the class is with an assignment. */
export interface Progress {
  /** The submissions that wait for the teacher. */
  readonly toReview: number
  readonly turnedIn: number
}

export function progressOf({ submissions }: Pick<ClassAssignment, 'submissions'>): Progress {
  const count = (...states: AssignmentSubmission['state'][]) =>
    submissions.filter(({ state }) => states.includes(state)).length
  return { toReview: count('turnedIn'), turnedIn: count('turnedIn', 'returned', 'graded') }
}
