import { describe, expect, it } from 'vitest'
import { events, lifecycle, states } from '../../../../test/support/submission-states.ts'
import {
  studentEvents,
  teacherEvents,
  type EventType,
  fieldOfOtherRole,
  type SubmissionEvent,
  applyEvent,
  isLate,
  isMissing,
  notStarted,
  type LifecycleFields,
} from './lifecycle.ts'

const now = 5000
const noDraft = { draft_grade: null, draft_max_points: null, draft_rubric: null }
const context = { now, actor: 'tess', maxPoints: 20 }

function eventOf(type: EventType): SubmissionEvent {
  if (type === 'draftGrade') return { type, draftGrade: 7, rubric: '["new"]' }
  if (type === 'grade') return { type, grade: 8, rubric: '["new"]' }
  if (type === 'return') return { type, keepsGrade: false }
  return { type }
}

/** A submission in a state with a value in every column. */
const submissionIn = (state: LifecycleFields['state']): LifecycleFields => ({
  state,
  grade: 3,
  max_points: 10,
  rubric: '["of the grade"]',
  graded_automatically: 1,
  draft_grade: 4,
  draft_max_points: 5,
  draft_rubric: '["of the draft"]',
  submitted_at: 1000,
  returned_at: 2000,
  return_creator_id: 'theo',
})

describe.each(['none', ...states] as const)('a submission that is %s', (state) => {
  describe.each(events)('%s', (event) => {
    const to = lifecycle[event].to[state]
    const result = applyEvent(submissionIn(state), eventOf(event), context)

    if (!to) {
      it('is not allowed', () => expect(result).toBeUndefined())
      return
    }
    it(`leads to ${to}`, () => expect(result?.fields.state).toBe(to))
    it('changes only the columns of the event', () => {
      const effects: Partial<Record<EventType, Partial<LifecycleFields>>> = {
        submit: { submitted_at: now },
        reclaim: { submitted_at: null },
        draftGrade: { draft_grade: 7, draft_max_points: 20, draft_rubric: '["new"]' },
        grade: { grade: 8, max_points: 20, rubric: '["new"]', graded_automatically: 0, ...noDraft },
        clearGrade: { grade: null, max_points: null, rubric: null, graded_automatically: 0 },
        return: {
          returned_at: now,
          return_creator_id: 'tess',
          ...{ grade: 4, max_points: 5, rubric: '["of the draft"]', graded_automatically: 0 },
          ...noDraft,
        },
        reset: { ...notStarted },
      }
      expect(result?.fields).toEqual({ ...submissionIn(state), ...effects[event], state: to })
    })
    it('is recorded in the history with its result, except for an edit', () => {
      const { grade, draft_grade, max_points } = result?.fields ?? notStarted
      const row = { state: event === 'reset' ? 'reset' : to, grade, draft_grade, max_points }
      expect(result?.entry).toEqual(event === 'edit' ? undefined : row)
    })
  })
})

it('a return keeps the grade if there is no draft, or if the same request sets a grade', () => {
  const afterReturn = (fields: LifecycleFields, keepsGrade: boolean) =>
    applyEvent(fields, { type: 'return', keepsGrade }, context)?.fields.grade
  expect(afterReturn({ ...submissionIn('graded'), draft_grade: null }, false)).toBe(3)
  expect(afterReturn(submissionIn('graded'), true)).toBe(3)
  expect(afterReturn(submissionIn('graded'), false)).toBe(4)
})

it('an automatic grade is marked as such', () => {
  const byServer = { ...context, actor: undefined }
  expect(
    applyEvent(submissionIn('turnedIn'), { type: 'grade', grade: 8 }, byServer)?.fields.graded_automatically,
  ).toBe(1)
})

it('a draft or a grade without a rubric clears the rubric', () => {
  const fieldsAfter = (one: SubmissionEvent) => applyEvent(submissionIn('graded'), one, context)?.fields
  expect(fieldsAfter({ type: 'grade', grade: 8 })?.rubric).toBe(null)
  expect(fieldsAfter({ type: 'draftGrade', draftGrade: 8 })?.draft_rubric).toBe(null)
  expect(fieldsAfter({ type: 'draftGrade', draftGrade: null })).toMatchObject(noDraft)
})

describe('the events of a request body', () => {
  it('of a student are start, edit, submit and reclaim', () => {
    const names = (...parameters: Parameters<typeof studentEvents>) =>
      studentEvents(...parameters).map(({ type }) => type)
    expect(names('none', {})).toEqual(['start', 'edit'])
    expect(names('none', { submit: false })).toEqual(['start', 'edit'])
    expect(names('none', { submit: true })).toEqual(['start', 'submit'])
    for (const state of states) {
      expect(names(state, {})).toEqual(['edit'])
      expect(names(state, { submit: true })).toEqual(['submit'])
      expect(names(state, { submit: false })).toEqual([state === 'turnedIn' ? 'reclaim' : 'edit'])
    }
  })

  it('of a teacher are the draft, the grade and the return, in this order', () => {
    expect(teacherEvents({ return: true, grade: 5, draftGrade: 6 })).toEqual([
      { type: 'draftGrade', draftGrade: 6 },
      { type: 'grade', grade: 5 },
      { type: 'return', keepsGrade: true },
    ])
    expect(teacherEvents({ grade: null, return: true })).toEqual([
      { type: 'clearGrade' },
      { type: 'return', keepsGrade: true },
    ])
    expect(teacherEvents({ return: true })).toEqual([{ type: 'return', keepsGrade: false }])
    expect(teacherEvents({})).toEqual([])
    expect(teacherEvents({ grade: 5, draftGrade: 6 }, '[]')).toEqual([
      { type: 'draftGrade', draftGrade: 6 },
      { type: 'grade', grade: 5, rubric: '[]' },
    ])
    expect(teacherEvents({ grade: null, draftGrade: 6 }, '[]')).toEqual([
      { type: 'draftGrade', draftGrade: 6, rubric: '[]' },
      { type: 'clearGrade' },
    ])
  })

  it.each(['attachments', 'playback', 'exercisesIds', 'answers', 'submit'] as const)(
    '%s may only be set by the student',
    (field) => {
      const body = { [field]: field === 'submit' ? true : [] }
      expect(fieldOfOtherRole('student', body)).toBeUndefined()
      expect(fieldOfOtherRole('teacher', body)).toBe(field)
    },
  )

  it.each(['return', 'draftGrade', 'grade', 'rubric'] as const)(
    '%s may only be set by the teacher',
    (field) => {
      const body = { [field]: field === 'return' ? true : field === 'rubric' ? [] : null }
      expect(fieldOfOtherRole('teacher', body)).toBeUndefined()
      expect(fieldOfOtherRole('student', body)).toBe(field)
    },
  )
})

it('a submission is late if it was turned in after the due date', () => {
  expect([isLate(11, 10), isLate(10, 10), isLate(null, 10), isLate(11, null)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

it('a submission is missing if the due date has passed and it was not turned in', () => {
  const missing = (state: LifecycleFields['state']) => isMissing(state, 10, 11)
  expect((['none', ...states] as const).filter(missing)).toEqual(['none', 'created'])
  expect([isMissing('none', 10, 10), isMissing('none', null, 11)]).toEqual([false, false])
})
