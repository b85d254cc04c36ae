import type { AssignmentSubmissionState, AssignmentSubmissionUpdate } from '../../contract/submissions.ts'

/** The states that a submission can be in; `none` is one that nobody has begun. */
export type State = AssignmentSubmissionState | 'none'

/** Who works on a submission: whose work it is, and who teaches the class. */
export type Party = 'student' | 'teacher'

export type Event = 'start' | 'edit' | 'submit' | 'reclaim' | 'draftGrade' | 'grade' | 'clearGrade' | 'return' | 'reset'

type Target = Exclude<State, 'none'>
const anyTo = (to: Target) => ({ created: to, turnedIn: to, returned: to, graded: to })
const asItWas = { created: 'created', turnedIn: 'turnedIn', returned: 'returned', graded: 'graded' } as const

/**
 * Every event there is: who brings it about, and what comes of it in each state. In a state that is not named it cannot
 * happen. Whether it leaves a row of the history, and under which name where that is not the state.
 */
const transitions: Record<
  Event,
  { by: Party; to: Partial<Record<State, Target>>; history: 'none' | 'state' | 'reset' }
> = {
  start: { by: 'student', to: { none: 'created' }, history: 'state' },
  edit: { by: 'student', to: { created: 'created', returned: 'returned', graded: 'graded' }, history: 'none' },
  submit: { by: 'student', to: anyTo('turnedIn'), history: 'state' },
  reclaim: { by: 'student', to: { turnedIn: 'created' }, history: 'state' },
  draftGrade: { by: 'teacher', to: asItWas, history: 'state' },
  grade: { by: 'teacher', to: { ...anyTo('graded'), returned: 'returned' }, history: 'state' },
  clearGrade: { by: 'teacher', to: asItWas, history: 'state' },
  return: { by: 'teacher', to: anyTo('returned'), history: 'state' },
  reset: { by: 'teacher', to: anyTo('created'), history: 'reset' },
}

/** What of a submission the events change. Times are milliseconds since 1970. */
export interface Work {
  state: State
  grade: number | null
  draft_grade: number | null
  /** What the grade is of; null while there is no grade. */
  max_points: number | null
  /** What each criterion was graded with (JSON). */
  rubric: string | null
  /** Whether the grade was made of answers alone. */
  graded_by_itself: 0 | 1
  /** What the draft was of when it was written, and what each criterion was graded with. */
  draft_max_points: number | null
  draft_rubric: string | null
  submitted_at: number | null
  returned_at: number | null
  return_creator_id: string | null
}

const noGrade = { grade: null, max_points: null, rubric: null, graded_by_itself: 0 } as const
const noDraft = { draft_grade: null, draft_max_points: null, draft_rubric: null } as const

/** What nobody has begun. */
export const noWork: Work = {
  state: 'none',
  ...noGrade,
  ...noDraft,
  submitted_at: null,
  returned_at: null,
  return_creator_id: null,
}

/** One event, with what is given by it. */
export type Happening =
  | { event: Exclude<Event, 'draftGrade' | 'grade' | 'return'> }
  | { event: 'draftGrade'; draftGrade: number | null; rubric?: string | undefined }
  | { event: 'grade'; grade: number; rubric?: string | undefined }
  /** A draft becomes the grade unless something was said of the grade. */
  | { event: 'return'; keepsGrade: boolean }

/** When and by whom it happens, and what the assignment's grades are of. */
export interface Circumstances {
  now: number
  /** Undefined where it follows by itself. */
  actor: string | undefined
  maxPoints: number | null
}

/** What happened, as the history keeps it. */
export interface Trace {
  state: Target | 'reset'
  grade: number | null
  draft_grade: number | null
  max_points: number | null
}

/** What comes of an event; undefined where it cannot happen. */
export function happen(
  work: Work,
  happening: Happening,
  circumstances: Circumstances,
): { work: Work; trace: Trace | undefined } | undefined {
  const { to, history } = transitions[happening.event]
  const state = to[work.state]
  if (!state) return undefined
  const changed = { ...work, ...effectOf(work, happening, circumstances), state }
  const { grade, draft_grade, max_points } = changed
  const trace = { state: history === 'reset' ? history : state, grade, draft_grade, max_points }
  return { work: changed, trace: history === 'none' ? undefined : trace }
}

function effectOf(work: Work, happening: Happening, { now, actor, maxPoints }: Circumstances): Partial<Work> {
  switch (happening.event) {
    case 'start':
    case 'edit':
      return {}
    case 'submit':
      return { submitted_at: now }
    case 'reclaim':
      return { submitted_at: null }
    case 'draftGrade':
      if (happening.draftGrade === null) return noDraft
      return {
        draft_grade: happening.draftGrade,
        draft_max_points: maxPoints,
        draft_rubric: happening.rubric ?? null,
      }
    case 'grade':
      return {
        grade: happening.grade,
        max_points: maxPoints,
        rubric: happening.rubric ?? null,
        graded_by_itself: actor === undefined ? 1 : 0,
        // A draft is for a grade to come: kept, it would take the place of this one when the work is returned.
        ...noDraft,
      }
    case 'clearGrade':
      return noGrade
    case 'return': {
      const returned = { returned_at: now, return_creator_id: actor ?? null }
      const { draft_grade: grade, draft_max_points: max_points, draft_rubric: rubric } = work
      if (happening.keepsGrade || grade === null) return returned
      return { ...returned, grade, max_points, rubric, graded_by_itself: 0, ...noDraft }
    }
    case 'reset':
      return noWork
  }
}

type Update = AssignmentSubmissionUpdate

/** The fields of a body that each may set. */
const fieldsOf = {
  student: ['attachments', 'playback', 'exercisesIds', 'answers', 'submit'],
  teacher: ['return', 'draftGrade', 'grade', 'rubric'],
} as const satisfies Record<Party, readonly (keyof Update)[]>

/** The first field of a body that is for the other one to set. */
export function foreignField(party: Party, body: Update): string | undefined {
  const other = party === 'student' ? 'teacher' : 'student'
  return fieldsOf[other].find((field) => body[field] !== undefined)
}

/** What a student's body asks for. Only what was turned in can be taken back; `submit: false` says nothing elsewhere. */
export function asStudent(state: State, { submit }: Pick<Update, 'submit'>): Happening[] {
  const begun: Happening[] = state === 'none' ? [{ event: 'start' }] : []
  if (submit) return [...begun, { event: 'submit' }]
  if (submit === false && state === 'turnedIn') return [{ event: 'reclaim' }]
  return [...begun, { event: 'edit' }]
}

/**
 * What a teacher's body asks for: the grade first, so that a return ends it.
 * @param rubric what each criterion was graded with (JSON): of the grade, or else of the draft
 */
export function asTeacher(
  { draftGrade, grade, return: returns }: Pick<Update, 'draftGrade' | 'grade' | 'return'>,
  rubric?: string,
): Happening[] {
  const asked: Happening[] = []
  const ofDraft = typeof grade === 'number' ? undefined : rubric
  if (draftGrade !== undefined) asked.push({ event: 'draftGrade', draftGrade, rubric: ofDraft })
  if (grade === null) asked.push({ event: 'clearGrade' })
  else if (grade !== undefined) asked.push({ event: 'grade', grade, rubric })
  if (returns) asked.push({ event: 'return', keepsGrade: grade !== undefined })
  return asked
}

/** Whether work is with the teacher, who has not given it back yet. */
export const awaitsReturn = (state: State): boolean => state === 'turnedIn' || state === 'graded'

/** Whether work came, or is still to come, after it was due. */
export const isLate = (submittedAt: number | null, dueAt: number | null): boolean =>
  submittedAt !== null && dueAt !== null && submittedAt > dueAt

/** Whether work is due and was not handed in, and nobody has looked at what there is of it. */
export function isMissing(state: State, dueAt: number | null, now: number): boolean {
  return dueAt !== null && now > dueAt && (state === 'none' || state === 'created')
}
