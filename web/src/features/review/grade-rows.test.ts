import { expect, it } from 'vitest'
import { averageOf, gradeRows } from './grade-rows.ts'

const graded = (assignment: string, grade: number | undefined, maxPoints?: number, more: object = {}) => ({
  assignment,
  ...(grade !== undefined && { grade }),
  ...(maxPoints !== undefined && { maxPoints }),
  ...more,
})

it('weighs work by its points and its weight', () => {
  const cells = [graded('a', 10, 10), graded('b', 0, 30)]
  expect(averageOf(cells, [{ id: 'a' }, { id: 'b' }])).toBe(0.25)
  expect(averageOf(cells, [{ id: 'a', weight: 3 }, { id: 'b' }])).toBe(0.5)
  expect(averageOf(cells, [{ id: 'a' }, { id: 'b', weight: 0 }])).toBe(1)
  expect(
    averageOf(cells, [
      { id: 'a', weight: 0 },
      { id: 'b', weight: 0 },
    ]),
  ).toBe(undefined)
})

it('leaves out excused work, and work without a grade or a maximum, which a draft does not replace', () => {
  const draft = graded('d', undefined, 20, { draftGrade: 2 })
  const others = [graded('b', 3), graded('c', 1, 0), draft, graded('e', 0, 20, { excused: true })]
  expect(averageOf([graded('a', 15, 20), ...others], [])).toBe(0.75)
  expect(averageOf(others, [])).toBe(undefined)
})

it('makes a table of grades, averages, and what is missing', () => {
  const assignments = ['Canon', 'Round', 'Echo'].map((title) => ({
    id: title,
    title,
    state: 'active' as const,
    ...(title === 'Echo' && { weight: 2 }),
  }))
  const cell = (assignment: string, more: object) => ({ assignment, late: false, missing: false, ...more })
  const students = [
    {
      user: '1',
      username: 'ann',
      firstname: 'Ann',
      lastname: 'Arp',
      grades: [
        cell('Canon', { grade: 2, maxPoints: 3 }),
        cell('Round', { missing: true }),
        cell('Echo', { excused: true, grade: 0, maxPoints: 4 }),
      ],
    },
    { user: '2', username: 'ben', grades: [cell('Echo', { missing: true, grade: 0, maxPoints: 4 })] },
  ]
  expect(
    gradeRows(
      { assignments, students },
      { name: 'Name', average: 'Average', missing: 'Missing', excused: 'Excused' },
    ),
  ).toEqual([
    ['Name', 'Average (%)', 'Canon', 'Round', 'Echo (× 2)'],
    ['Ann Arp', 66.7, 2, 'Missing', 'Excused'],
    ['ben', 0, undefined, undefined, 0],
  ])
})
