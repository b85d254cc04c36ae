import { expect, it } from 'vitest'
import {
  criterionDraftOf,
  criterionFaultOf,
  newCriterion,
  rubricOf,
  rubricUpdateOf,
  withLevel,
} from './rubric-drafts.ts'

const draft = { ...newCriterion(['1'], ['Not yet', 'Secure']), title: ' Rhythm ', description: '' }

it('numbers new criteria and gives a new level one point more than the highest', () => {
  expect(draft).toMatchObject({ id: '2', levels: [{ points: '1' }, { points: '2' }] })
  expect(withLevel(draft).levels.at(-1)).toEqual({ id: '3', title: '', points: '3' })
})

it('makes a rubric whose criteria are worth their highest level, and reads it back', () => {
  const half = { ...draft, levels: draft.levels.with(0, { id: '1', title: 'Not yet', points: '0,5' }) }
  const rubric = rubricOf([half])
  const levels = [
    { title: 'Not yet', points: 0.5 },
    { title: 'Secure', points: 2 },
  ]
  expect(rubric).toEqual({ criteria: [{ id: '2', title: 'Rhythm', points: 2, levels }] })
  expect(rubricOf(rubric?.criteria.map(criterionDraftOf) ?? [])).toEqual(rubric)
  expect(rubricOf([])).toBe(null)
})

it('saves nothing of a rubric that was not changed, and the sum of a changed one as the points', () => {
  const saved = [draft]
  expect(rubricUpdateOf(saved, saved)).toEqual({})
  expect(rubricUpdateOf(saved, [])).toEqual({ rubric: null })
  const changed = [draft, { ...withLevel(draft), id: '3' }]
  const withTitles = changed.map((one) => ({
    ...one,
    levels: one.levels.map((level) => ({ ...level, title: 'L' })),
  }))
  expect(rubricUpdateOf(saved, withTitles)).toMatchObject({ maxPoints: 5, rubric: { criteria: [{}, {}] } })
})

it('gives a criterion without levels one with all of its points', () => {
  const criterion = criterionDraftOf({ id: 'a', title: 'Tone', points: 4 })
  expect(rubricOf([criterion])?.criteria[0]?.levels).toEqual([{ title: 'Tone', points: 4 }])
})

it.each([
  [{ title: ' ' }, 'title'],
  [{ levels: [] }, 'levels'],
  [{ levels: [{ id: '1', title: '', points: '1' }] }, 'levels'],
  [{ levels: [{ id: '1', title: 'A', points: '' }] }, 'points'],
  [{ levels: ['1', '2'].map((id) => ({ id, title: 'A', points: '3' })) }, 'points'],
  [{}, undefined],
] as const)('finds what is missing in %j', (change, fault) => {
  expect(criterionFaultOf({ ...draft, ...change })).toBe(fault)
})
