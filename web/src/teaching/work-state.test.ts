import { expect, it } from 'vitest'
import { byDueDate, progressOf, workStateOf } from './work-state.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const past = '2026-11-22T12:00:00.000Z'
const future = '2026-11-24T12:00:00.000Z'

it.each([
  ['newScore', undefined, undefined, 'toDo'],
  ['newScore', future, undefined, 'toDo'],
  ['newScore', past, undefined, 'missing'],
  ['newScore', future, 'created', 'started'],
  ['newScore', past, 'created', 'missing'],
  ['newScore', past, 'turnedIn', 'turnedIn'],
  ['newScore', past, 'returned', 'returned'],
  ['newScore', past, 'graded', 'graded'],
  ['none', undefined, undefined, 'toRead'],
  ['none', past, undefined, 'toRead'],
] as const)('work of the type %s, due %s, submission %s is %s', (type, dueDate, state, expected) => {
  const submission = state && { state }
  expect(workStateOf({ type, ...(dueDate && { dueDate }), submission }, now)).toBe(expected)
})

it('says that a student is excused unless the work was handed in', () => {
  const facts = { type: 'newScore', dueDate: past, isExcused: true } as const
  expect(workStateOf({ ...facts, submission: { state: 'created' } }, now)).toBe('excused')
  expect(workStateOf({ ...facts, submission: { state: 'turnedIn' } }, now)).toBe('turnedIn')
})

it('sorts work by its due date, and work without one last, the newest first', () => {
  const work = [
    { id: 'old', creationDate: past },
    { id: 'late', dueDate: future, creationDate: past },
    { id: 'new', creationDate: future },
    { id: 'soon', dueDate: past, creationDate: past },
  ]
  expect(work.sort(byDueDate).map(({ id }) => id)).toEqual(['soon', 'late', 'new', 'old'])
})

it('counts what was turned in, and what waits for the teacher', () => {
  const submissions = (['created', 'turnedIn', 'turnedIn', 'returned', 'graded'] as const).map((state) => ({
    state,
  }))
  expect(progressOf({ submissions } as Parameters<typeof progressOf>[0])).toEqual({
    toReview: 2,
    turnedIn: 4,
  })
})
