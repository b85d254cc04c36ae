import type {
  EventType,
  ActingRole,
  SubmissionState,
} from '../../src/features/teaching/submissions/lifecycle.ts'

/** The states of a submission that exists. */
export const states = ['created', 'turnedIn', 'returned', 'graded'] as const
type StoredState = (typeof states)[number]

const all = (to: StoredState) => ({ created: to, turnedIn: to, returned: to, graded: to })
const same = { created: 'created', turnedIn: 'turnedIn', returned: 'returned', graded: 'graded' } as const

/**
 * The role that may trigger each event, and the state that the event leads to from each state. Every other
 * combination is refused. The table follows the interface description, not src.
 */
export const lifecycle: Record<
  EventType,
  { by: ActingRole; to: Partial<Record<SubmissionState, StoredState>> }
> = {
  start: { by: 'student', to: { none: 'created' } },
  edit: { by: 'student', to: { created: 'created', returned: 'returned', graded: 'graded' } },
  submit: { by: 'student', to: all('turnedIn') },
  reclaim: { by: 'student', to: { turnedIn: 'created' } },
  draftGrade: { by: 'teacher', to: same },
  grade: {
    by: 'teacher',
    to: { created: 'graded', turnedIn: 'graded', graded: 'graded', returned: 'returned' },
  },
  clearGrade: { by: 'teacher', to: same },
  return: { by: 'teacher', to: all('returned') },
  reset: { by: 'teacher', to: all('created') },
}

export const events = Object.keys(lifecycle) as EventType[]
