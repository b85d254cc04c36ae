import { expect, it } from 'vitest'
import { averageOf, gradeRows } from './grade-rows.ts'

it('weighs work by its points', () => {
  expect(
    averageOf([
      { grade: 10, maxPoints: 10 },
      { grade: 0, maxPoints: 30 },
    ]),
  ).toBe(0.25)
})

it('leaves out work without a grade or a maximum, which a draft does not replace', () => {
  const draft = { draftGrade: 2, maxPoints: 20 }
  expect(averageOf([{ grade: 15, maxPoints: 20 }, { grade: 3 }, { grade: 1, maxPoints: 0 }, draft])).toBe(
    0.75,
  )
  expect(averageOf([draft, { grade: 3 }])).toBe(undefined)
})

it('makes a table of grades, averages, and what is missing', () => {
  const assignments = ['Canon', 'Round', 'Echo'].map((title) => ({
    id: title,
    title,
    state: 'active' as const,
  }))
  const cell = (assignment: string, more: object) => ({ assignment, late: false, missing: false, ...more })
  const students = [
    {
      user: '1',
      username: 'ann',
      firstname: 'Ann',
      lastname: 'Arp',
      grades: [cell('Canon', { grade: 2, maxPoints: 3 }), cell('Round', { missing: true })],
    },
    { user: '2', username: 'ben', grades: [cell('Echo', { missing: true, grade: 0, maxPoints: 4 })] },
  ]
  expect(
    gradeRows({ assignments, students }, { name: 'Name', average: 'Average', missing: 'Missing' }),
  ).toEqual([
    ['Name', 'Average (%)', 'Canon', 'Round', 'Echo'],
    ['Ann Arp', 66.7, 2, 'Missing', undefined],
    ['ben', 0, undefined, undefined, 0],
  ])
})
