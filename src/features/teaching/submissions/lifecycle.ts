import type { AssignmentSubmissionState, AssignmentSubmissionUpdate } from '../../../contract/submissions.ts'

/** The states of a submission; `none` means that the student has not started. */
export type SubmissionState = AssignmentSubmissionState | 'none'

/** The role in which a user causes an event: as a student of the submission or as a teacher of the class. */
export type ActingRole = 'student' | 'teacher'

export type EventType =
  | 'start'
  | 'edit'
  | 'submit'
  | 'reclaim'
  | 'draftGrade'
  | 'grade'
  | 'clearGrade'
  | 'return'
  | 'reset'

type StartedState = Exclude<SubmissionState, 'none'>
const fromAnyStateTo = (to: StartedState) => ({ created: to, turnedIn: to, returned: to, graded: to })
const sameState = {
  created: 'created',
  turnedIn: 'turnedIn',
  returned: 'returned',
  graded: 'graded',
} as const

/**
 * The transition table. For each event: the role that may cause it, the next state for each current state,
 * and the state under which the history records it. A current state without an entry does not allow the
 * event.
 */
const transitions: Record<
  EventType,
  { by: ActingRole; to: Partial<Record<SubmissionState, StartedState>>; history: 'none' | 'state' | 'reset' }
> = {
  start: { by: 'student', to: { none: 'created' }, history: 'state' },
  edit: {
    by: 'student',
    to: { created: 'created', returned: 'returned', graded: 'graded' },
    history: 'none',
  },
  submit: { by: 'student', to: fromAnyStateTo('turnedIn'), history: 'state' },
  reclaim: { by: 'student', to: { turnedIn: 'created' }, history: 'state' },
  draftGrade: { by: 'teacher', to: sameState, history: 'state' },
  grade: { by: 'teacher', to: { ...fromAnyStateTo('graded'), returned: 'returned' }, history: 'state' },
  clearGrade: { by: 'teacher', to: sameState, history: 'state' },
  return: { by: 'teacher', to: fromAnyStateTo('returned'), history: 'state' },
  reset: { by: 'teacher', to: fromAnyStateTo('created'), history: 'reset' },
}

/** The columns of a submission that transitions change. Times are milliseconds since 1970. */
export interface LifecycleFields {
  state: SubmissionState
  grade: number | null
  draft_grade: number | null
  /** The maximum points that the grade refers to; null without a grade. */
  max_points: number | null
  /** The points of each rubric criterion (JSON). */
  rubric: string | null
  /** Whether the server computed the grade from the answers. */
  graded_automatically: 0 | 1
  /** The maximum points and the rubric points of the draft, from the time when the draft was written. */
  draft_max_points: number | null
  draft_rubric: string | null
  submitted_at: number | null
  returned_at: number | null
  return_creator_id: string | null
}

const noGrade = { grade: null, max_points: null, rubric: null, graded_automatically: 0 } as const
const noDraft = { draft_grade: null, draft_max_points: null, draft_rubric: null } as const

/** The initial value: a submission that the student has not started. */
export const notStarted: LifecycleFields = {
  state: 'none',
  ...noGrade,
  ...noDraft,
  submitted_at: null,
  returned_at: null,
  return_creator_id: null,
}

/** An event with its payload. */
export type SubmissionEvent =
  | { type: Exclude<EventType, 'draftGrade' | 'grade' | 'return'> }
  | { type: 'draftGrade'; draftGrade: number | null; rubric?: string | undefined }
  | { type: 'grade'; grade: number; rubric?: string | undefined }
  /** A return turns the draft into the grade unless `keepsGrade` is set. */
  | { type: 'return'; keepsGrade: boolean }

/** The time and author of a transition, and the maximum points of the assignment. */
export interface TransitionContext {
  now: number
  /** Undefined for an event that the server causes. */
  actor: string | undefined
  maxPoints: number | null
}

/** The columns of a history record that describe the result of a transition. */
export interface HistoryEntry {
  state: StartedState | 'reset'
  grade: number | null
  draft_grade: number | null
  max_points: number | null
}

/** Applies an event. Returns undefined when the current state does not allow it. */
export function applyEvent(
  fields: LifecycleFields,
  event: SubmissionEvent,
  context: TransitionContext,
): { fields: LifecycleFields; entry: HistoryEntry | undefined } | undefined {
  const { to, history } = transitions[event.type]
  const state = to[fields.state]
  if (!state) return undefined
  const changed = { ...fields, ...effectsOf(fields, event, context), state }
  const { grade, draft_grade, max_points } = changed
  const entry = { state: history === 'reset' ? history : state, grade, draft_grade, max_points }
  return { fields: changed, entry: history === 'none' ? undefined : entry }
}

function effectsOf(
  fields: LifecycleFields,
  event: SubmissionEvent,
  { now, actor, maxPoints }: TransitionContext,
): Partial<LifecycleFields> {
  switch (event.type) {
    case 'start':
    case 'edit':
      return {}
    case 'submit':
      return { submitted_at: now }
    case 'reclaim':
      return { submitted_at: null }
    case 'draftGrade':
      if (event.draftGrade === null) return noDraft
      return {
        draft_grade: event.draftGrade,
        draft_max_points: maxPoints,
        draft_rubric: event.rubric ?? null,
      }
    case 'grade':
      return {
        grade: event.grade,
        max_points: maxPoints,
        rubric: event.rubric ?? null,
        graded_automatically: actor === undefined ? 1 : 0,
        // The draft was meant for a later grade. If it stayed, the next return would overwrite this grade
        // with it.
        ...noDraft,
      }
    case 'clearGrade':
      return noGrade
    case 'return': {
      const returned = { returned_at: now, return_creator_id: actor ?? null }
      const { draft_grade: grade, draft_max_points: max_points, draft_rubric: rubric } = fields
      if (event.keepsGrade || grade === null) return returned
      return { ...returned, grade, max_points, rubric, graded_automatically: 0, ...noDraft }
    }
    case 'reset':
      return notStarted
  }
}

type Update = AssignmentSubmissionUpdate

/** The fields of the request body that each role may set. */
const fieldsByRole = {
  student: ['attachments', 'playback', 'exercisesIds', 'answers', 'submit'],
  teacher: ['return', 'draftGrade', 'grade', 'rubric'],
} as const satisfies Record<ActingRole, readonly (keyof Update)[]>

/** Returns the first field of a body that only the other role may set. */
export function fieldOfOtherRole(role: ActingRole, body: Update): string | undefined {
  const other = role === 'student' ? 'teacher' : 'student'
  return fieldsByRole[other].find((field) => body[field] !== undefined)
}

/**
 * Returns the events that a student's body asks for. `submit: false` reclaims a submission that is turned in;
 * in any other state it has no effect.
 */
export function studentEvents(state: SubmissionState, { submit }: Pick<Update, 'submit'>): SubmissionEvent[] {
  const start: SubmissionEvent[] = state === 'none' ? [{ type: 'start' }] : []
  if (submit) return [...start, { type: 'submit' }]
  if (submit === false && state === 'turnedIn') return [{ type: 'reclaim' }]
  return [...start, { type: 'edit' }]
}

/**
 * Returns the events that a teacher's body asks for. The return comes last, so that it includes a grade of
 * the same body.
 * @param rubric the points of each criterion (JSON); they belong to the grade if the body has one, otherwise
 *   to the draft
 */
export function teacherEvents(
  { draftGrade, grade, return: returns }: Pick<Update, 'draftGrade' | 'grade' | 'return'>,
  rubric?: string,
): SubmissionEvent[] {
  const events: SubmissionEvent[] = []
  const ofDraft = typeof grade === 'number' ? undefined : rubric
  if (draftGrade !== undefined) events.push({ type: 'draftGrade', draftGrade, rubric: ofDraft })
  if (grade === null) events.push({ type: 'clearGrade' })
  else if (grade !== undefined) events.push({ type: 'grade', grade, rubric })
  if (returns) events.push({ type: 'return', keepsGrade: grade !== undefined })
  return events
}

/** Whether the submission waits for the teacher to return it. */
export const awaitsReturn = (state: SubmissionState): boolean => state === 'turnedIn' || state === 'graded'

/** Whether the submission was turned in after its due date. */
export const isLate = (submittedAt: number | null, dueAt: number | null): boolean =>
  submittedAt !== null && dueAt !== null && submittedAt > dueAt

/** Whether the due date has passed and the submission has been neither turned in nor graded nor returned. */
export function isMissing(state: SubmissionState, dueAt: number | null, now: number): boolean {
  return dueAt !== null && now > dueAt && (state === 'none' || state === 'created')
}
