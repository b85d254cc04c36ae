import { describe, expect, it } from 'vitest'
import { events, lifecycle, states } from '../../../test/support/submission-states.ts'
import {
  asStudent,
  asTeacher,
  type Event,
  foreignField,
  type Happening,
  happen,
  isLate,
  isMissing,
  noWork,
  type Work,
} from './lifecycle.ts'

const now = 5000
const noDraft = { draft_grade: null, draft_max_points: null, draft_rubric: null }
const circumstances = { now, actor: 'tess', maxPoints: 20 }

function happening(event: Event): Happening {
  if (event === 'draftGrade') return { event, draftGrade: 7, rubric: '["new"]' }
  if (event === 'grade') return { event, grade: 8, rubric: '["new"]' }
  if (event === 'return') return { event, keepsGrade: false }
  return { event }
}

/** Work in a state, with everything in it that can be. */
const workIn = (state: Work['state']): Work => ({
  state,
  grade: 3,
  max_points: 10,
  rubric: '["of the grade"]',
  graded_by_itself: 1,
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
    const came = happen(workIn(state), happening(event), circumstances)

    if (!to) {
      it('cannot happen', () => expect(came).toBeUndefined())
      return
    }
    it(`makes it ${to}`, () => expect(came?.work.state).toBe(to))
    it('changes what belongs to the event, and nothing else', () => {
      const effects: Partial<Record<Event, Partial<Work>>> = {
        submit: { submitted_at: now },
        reclaim: { submitted_at: null },
        draftGrade: { draft_grade: 7, draft_max_points: 20, draft_rubric: '["new"]' },
        grade: { grade: 8, max_points: 20, rubric: '["new"]', graded_by_itself: 0, ...noDraft },
        clearGrade: { grade: null, max_points: null, rubric: null, graded_by_itself: 0 },
        return: {
          returned_at: now,
          return_creator_id: 'tess',
          ...{ grade: 4, max_points: 5, rubric: '["of the draft"]', graded_by_itself: 0 },
          ...noDraft,
        },
        reset: { ...noWork },
      }
      expect(came?.work).toEqual({ ...workIn(state), ...effects[event], state: to })
    })
    it('leaves a row of the history that says what it has made, but for an edit', () => {
      const { grade, draft_grade, max_points } = came?.work ?? noWork
      const row = { state: event === 'reset' ? 'reset' : to, grade, draft_grade, max_points }
      expect(came?.trace).toEqual(event === 'edit' ? undefined : row)
    })
  })
})

it('a return keeps the grade where there is no draft, or where one was given along with it', () => {
  const returned = (work: Work, keepsGrade: boolean) =>
    happen(work, { event: 'return', keepsGrade }, circumstances)?.work.grade
  expect(returned({ ...workIn('graded'), draft_grade: null }, false)).toBe(3)
  expect(returned(workIn('graded'), true)).toBe(3)
  expect(returned(workIn('graded'), false)).toBe(4)
})

it('a grade that nobody gives is told from a teacher’s', () => {
  const byItself = { ...circumstances, actor: undefined }
  expect(happen(workIn('turnedIn'), { event: 'grade', grade: 8 }, byItself)?.work.graded_by_itself).toBe(1)
})

it('a draft and a grade that are given without a rubric have none', () => {
  const given = (one: Happening) => happen(workIn('graded'), one, circumstances)?.work
  expect(given({ event: 'grade', grade: 8 })?.rubric).toBe(null)
  expect(given({ event: 'draftGrade', draftGrade: 8 })?.draft_rubric).toBe(null)
  expect(given({ event: 'draftGrade', draftGrade: null })).toMatchObject(noDraft)
})

describe('what a body asks for', () => {
  it('of a student is to begin, to edit, to hand in or to take back', () => {
    const names = (...given: Parameters<typeof asStudent>) => asStudent(...given).map(({ event }) => event)
    expect(names('none', {})).toEqual(['start', 'edit'])
    expect(names('none', { submit: false })).toEqual(['start', 'edit'])
    expect(names('none', { submit: true })).toEqual(['start', 'submit'])
    for (const state of states) {
      expect(names(state, {})).toEqual(['edit'])
      expect(names(state, { submit: true })).toEqual(['submit'])
      expect(names(state, { submit: false })).toEqual([state === 'turnedIn' ? 'reclaim' : 'edit'])
    }
  })

  it('of a teacher is the draft first, then the grade, then to return', () => {
    expect(asTeacher({ return: true, grade: 5, draftGrade: 6 })).toEqual([
      { event: 'draftGrade', draftGrade: 6 },
      { event: 'grade', grade: 5 },
      { event: 'return', keepsGrade: true },
    ])
    expect(asTeacher({ grade: null, return: true })).toEqual([
      { event: 'clearGrade' },
      { event: 'return', keepsGrade: true },
    ])
    expect(asTeacher({ return: true })).toEqual([{ event: 'return', keepsGrade: false }])
    expect(asTeacher({})).toEqual([])
    expect(asTeacher({ grade: 5, draftGrade: 6 }, '[]')).toEqual([
      { event: 'draftGrade', draftGrade: 6 },
      { event: 'grade', grade: 5, rubric: '[]' },
    ])
    expect(asTeacher({ grade: null, draftGrade: 6 }, '[]')).toEqual([
      { event: 'draftGrade', draftGrade: 6, rubric: '[]' },
      { event: 'clearGrade' },
    ])
  })

  it.each(['attachments', 'playback', 'exercisesIds', 'answers', 'submit'] as const)(
    '%s is for the student alone',
    (field) => {
      const body = { [field]: field === 'submit' ? true : [] }
      expect(foreignField('student', body)).toBeUndefined()
      expect(foreignField('teacher', body)).toBe(field)
    },
  )

  it.each(['return', 'draftGrade', 'grade', 'rubric'] as const)('%s is for the teacher alone', (field) => {
    const body = { [field]: field === 'return' ? true : field === 'rubric' ? [] : null }
    expect(foreignField('teacher', body)).toBeUndefined()
    expect(foreignField('student', body)).toBe(field)
  })
})

it('late is what was turned in after it was due', () => {
  expect([isLate(11, 10), isLate(10, 10), isLate(null, 10), isLate(11, null)]).toEqual([true, false, false, false])
})

it('missing is what is due and was not turned in', () => {
  const missing = (state: Work['state']) => isMissing(state, 10, 11)
  expect((['none', ...states] as const).filter(missing)).toEqual(['none', 'created'])
  expect([isMissing('none', 10, 10), isMissing('none', null, 11)]).toEqual([false, false])
})
