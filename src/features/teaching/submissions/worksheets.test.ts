import { describe, expect, it } from 'vitest'
import type { Exercise } from '../../../contract/exercises.ts'
import { gradeOf, gradeWorksheet } from './worksheets.ts'

const points = (exercise: Omit<Exercise, 'id'>, answer: string[]) =>
  gradeWorksheet([{ ...exercise, id: 'a' }], [{ exercise: 'a', answer }]).points

describe('a multiple choice exercise', () => {
  const choices = ['a', 'b', 'c', 'd'].map((id) => ({ id, text: id }))
  const one: Omit<Exercise, 'id'> = { type: 'multipleChoice', choices, solution: ['b'] }
  const two: Omit<Exercise, 'id'> = { ...one, solution: ['a', 'b'], points: 4 }

  it('with one solution is either right or wrong', () => {
    expect(points(one, ['b'])).toBe(1)
    for (const answer of [['a'], [], ['a', 'b'], ['b', 'a', 'c']]) expect(points(one, answer)).toBe(0)
  })

  it('with several solutions subtracts wrong choices from right ones, but not below zero', () => {
    expect(points(two, ['b', 'a'])).toBe(4)
    expect(points(two, ['a'])).toBe(2)
    expect(points(two, ['a', 'b', 'c'])).toBe(2)
    expect(points(two, ['a', 'c'])).toBe(0)
    expect(points(two, ['c', 'd'])).toBe(0)
  })

  it('counts a repeated choice once', () => {
    expect(points(two, ['a', 'a'])).toBe(2)
    // Stored exercises may still have repeated solutions, which requests may no longer have.
    expect(points({ ...one, solution: ['b', 'b'] }, ['b'])).toBe(1)
  })

  it('without a solution is right if nothing is chosen', () => {
    expect(points({ ...one, solution: [] }, [])).toBe(1)
    expect(points({ ...one, solution: [] }, ['a'])).toBe(0)
  })
})

describe('a note naming exercise', () => {
  const exercise: Omit<Exercise, 'id'> = {
    type: 'noteNaming',
    notes: ['C4', 'F#5', 'Bb3', 'G##2'],
    points: 8,
  }

  it.each([
    [['C', 'F#', 'Bb', 'G##'], 8],
    [['c', 'f♯', 'B♭', 'gx'], 8],
    [['do', 'fa#', 'sib', 'Sol x'], 8],
    [['C', 'Fis', 'Hb', 'Gisis'], 8],
    [['C', 'Gb', 'Bb', 'A'], 4],
    [['C'], 2],
    [['F#', 'C', 'Bb', 'G##'], 4],
    [['', 'H', 'Bbb', '5'], 0],
  ])('%j', (answer, reached) => {
    expect(points(exercise, answer)).toBe(reached)
  })

  it('accepts the contracted names of German', () => {
    expect(points({ type: 'noteNaming', notes: ['Eb4', 'Ab4', 'B4'], points: 3 }, ['Es', 'as', 'H'])).toBe(3)
  })

  it('without notes is worth nothing', () => {
    expect(points({ type: 'noteNaming' }, ['C'])).toBe(0)
  })
})

describe('a rhythm exercise', () => {
  const exercise: Omit<Exercise, 'id'> = {
    type: 'rhythm',
    solution: ['1/4', '1/8', '1/8', 'r1/4', '1/4'],
    points: 5,
  }

  it.each([
    [['1/4', '1/8', '1/8', 'r1/4', '1/4'], 5],
    [['2/8', '1/8', '1/8', 'r2/8', '1/4'], 5],
    // After the first wrong length, only events with the right onset count.
    [['1/4', '1/4', 'r1/4', '1/4'], 3],
    [['1/8', '1/4', '1/8', 'r1/4', '1/4'], 3],
    [['1/4', '1/8', '1/8', '1/4', '1/4'], 4],
    [['1/4', '1/8', '1/8', 'r1/4', '1/4', '1/4', '1/4', '1/4', '1/4', '1/4'], 2.5],
    [['1/0', 'x', '', '-1/4', '0/4'], 0],
    [[], 0],
  ])('%j', (answer, reached) => {
    expect(points(exercise, answer)).toBe(reached)
  })

  it('accepts tuplets', () => {
    const triplets: Omit<Exercise, 'id'> = { type: 'rhythm', solution: ['1/12', '1/12', '1/12', '1/4'] }
    expect(points(triplets, ['1/12', '1/12', '1/12', '1/4'])).toBe(1)
  })
})

describe('a worksheet', () => {
  const exercises: Exercise[] = [
    { id: 'one', type: 'noteNaming', notes: ['C4', 'D4', 'E4'] },
    { id: 'two', type: 'multipleChoice', solution: ['a'], points: 2 },
  ]

  it('sums the points of its exercises; an unanswered exercise gives no points', () => {
    const answers = [
      { exercise: 'one', answer: ['C', 'D'] },
      { exercise: 'another', answer: ['a'] },
    ]
    expect(gradeWorksheet(exercises, answers)).toEqual({ points: 0.67, of: 3 })
    expect(gradeWorksheet(exercises, [])).toEqual({ points: 0, of: 3 })
    expect(gradeWorksheet([], answers)).toEqual({ points: 0, of: 0 })
  })

  it('is scaled to the maximum points of the assignment if it has any', () => {
    expect(gradeOf({ points: 2, of: 3 }, 20)).toEqual({ grade: 13.33, maxPoints: 20 })
    expect(gradeOf({ points: 2, of: 3 }, null)).toEqual({ grade: 2, maxPoints: 3 })
    expect(gradeOf({ points: 0, of: 0 }, 20)).toEqual({ grade: 0, maxPoints: 20 })
  })
})
