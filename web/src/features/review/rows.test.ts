import { expect, it } from 'vitest'
import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { AssignmentSubmission } from '../../../../src/contract/submissions.ts'
import { filters, gradedRows, matches, maximumOf, rowsOf } from './rows.ts'

const now = Date.parse('2026-11-23T12:00:00Z')
const students = ['ann', 'ben', 'cleo', 'dan'].map((id) => ({ id, username: id }))
const submission = (creator: string, more: Partial<AssignmentSubmission> = {}) =>
  ({ id: `of-${creator}`, creator, state: 'turnedIn', ...more }) as AssignmentSubmission
const assignment = (more: Partial<ClassAssignment>) =>
  ({ type: 'newScore', dueDate: '2026-11-20T12:00:00.000Z', submissions: [], ...more }) as ClassAssignment
const names = (all: ReturnType<typeof rowsOf>) => all.map(({ name }) => name)

it('lists every student of the class with the own work', () => {
  const rows = rowsOf(assignment({ submissions: [submission('ben')] }), students, now)
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ['ann', 'missing'],
    ['ben', 'turnedIn'],
    ['cleo', 'missing'],
    ['dan', 'missing'],
  ])
})

it('lists only those to whom the work was given, and those who have handed in before', () => {
  const given = assignment({
    assigneeMode: 'selected',
    assignedStudents: ['ann'],
    assignedGroups: [{ id: 'cellos', name: 'Cellos', members: ['cleo'] }],
    submissions: [submission('dan')],
  })
  expect(names(rowsOf(given, students, now))).toEqual(['ann', 'cleo', 'dan'])
})

it('lists a group once if its students hand in together', () => {
  const given = assignment({
    submissionStudentsMode: 'group',
    assignedGroups: [{ id: 'duo', name: 'Duo', members: ['ann', 'ben'] }],
    submissions: [submission('ann', { group: 'duo' })],
  })
  const rows = rowsOf(given, students, now)
  expect(names(rows)).toEqual(['Duo', 'cleo', 'dan'])
  expect(rows[0]?.submission?.id).toBe('of-ann')
})

it('filters by what a teacher looks for', () => {
  const given = assignment({
    submissions: [
      submission('ann', { late: true, draftGrade: 3 }),
      submission('ben', { state: 'graded', grade: 4 }),
      submission('cleo', { state: 'created' }),
    ],
  })
  const rows = rowsOf(given, students, now)
  expect(
    Object.fromEntries(filters.map((filter) => [filter, names(rows.filter((row) => matches(row, filter)))])),
  ).toEqual({
    all: ['ann', 'ben', 'cleo', 'dan'],
    toReview: ['ann'],
    ungraded: ['cleo'],
    late: ['ann'],
    missing: ['cleo', 'dan'],
    returned: ['ben'],
  })
  expect(names(gradedRows(rows))).toEqual(['ann', 'ben'])
})

it.each([
  [{ maxPoints: 20 }, 20],
  [
    {
      rubric: {
        criteria: [
          { id: 'a', title: 'A', points: 4 },
          { id: 'b', title: 'B', points: 6 },
        ],
      },
    },
    10,
  ],
  [
    {
      exercises: [
        { id: '1', type: 'rhythm', points: 3 },
        { id: '2', type: 'rhythm' },
      ],
    },
    4,
  ],
  [{}, undefined],
] as [Partial<ClassAssignment>, number | undefined][])('the most points of %j are %s', (more, expected) => {
  expect(maximumOf(assignment(more))).toBe(expected)
})
