import type { Event, Party, State } from '../../src/features/submissions/lifecycle.ts'

/** Those that a submission which there is can be in. */
export const states = ['created', 'turnedIn', 'returned', 'graded'] as const
type Real = (typeof states)[number]

const all = (to: Real) => ({ created: to, turnedIn: to, returned: to, graded: to })
const same = { created: 'created', turnedIn: 'turnedIn', returned: 'returned', graded: 'graded' } as const

/** What comes of each event in each state, by whom; what is not here is refused. Written down from the interface, not from src. */
export const lifecycle: Record<Event, { by: Party; to: Partial<Record<State, Real>> }> = {
  start: { by: 'student', to: { none: 'created' } },
  edit: { by: 'student', to: { created: 'created', returned: 'returned', graded: 'graded' } },
  submit: { by: 'student', to: all('turnedIn') },
  reclaim: { by: 'student', to: { turnedIn: 'created' } },
  draftGrade: { by: 'teacher', to: same },
  grade: { by: 'teacher', to: { created: 'graded', turnedIn: 'graded', graded: 'graded', returned: 'returned' } },
  clearGrade: { by: 'teacher', to: same },
  return: { by: 'teacher', to: all('returned') },
  reset: { by: 'teacher', to: all('created') },
}

export const events = Object.keys(lifecycle) as Event[]
