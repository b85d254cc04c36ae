import { expect, it } from 'vitest'
import type { Exercise } from '../../../../src/contract/exercises.ts'
import { draftOf, exerciseOf, faultOf, newDraft } from './exercise-drafts.ts'

const choice: Exercise = {
  id: '1',
  type: 'multipleChoice',
  prompt: 'Which of them are voices?',
  points: 2,
  choices: [
    { id: '1', text: 'alto' },
    { id: '2', text: 'oboe' },
  ],
  solution: ['1'],
}
const notes: Exercise = { id: '2', type: 'noteNaming', points: 3, notes: ['E4', 'Bb4'], clef: 'alto' }
const rhythm: Exercise = {
  id: '3',
  type: 'rhythm',
  prompt: 'What is clapped?',
  points: 1,
  solution: ['1/4', 'r1/8'],
}

it.each([choice, notes, rhythm])(
  'an exercise of the type $type stays the same on its way through the form',
  (exercise) => {
    expect(faultOf(draftOf(exercise))).toBeUndefined()
    expect(exerciseOf(draftOf(exercise))).toEqual(exercise)
  },
)

it('a new exercise lacks what its type needs, and has an id of its own', () => {
  const drafts = (['multipleChoice', 'noteNaming', 'rhythm'] as const).map((type) =>
    newDraft(type, ['1', '3']),
  )
  expect(drafts.map(faultOf)).toEqual(['choices', 'notes', 'rhythm'])
  expect(drafts.map(({ id }) => id)).toEqual(['2', '2', '2'])
})

it('a choice needs a correct answer, and empty choices do not count', () => {
  const draft = draftOf(choice)
  expect(faultOf({ ...draft, choices: draft.choices.map((one) => ({ ...one, isCorrect: false })) })).toBe(
    'solution',
  )
  const withEmpty = { ...draft, choices: [...draft.choices, { id: '3', text: ' ', isCorrect: true }] }
  expect(exerciseOf(withEmpty)).toEqual(choice)
})

it.each([
  ['e4 g4, bb4', undefined, ['E4', 'G4', 'Bb4']],
  ['H4', 'notes', undefined],
  ['E', 'notes', undefined],
] as const)('notes are read as people write them: %s', (series, fault, expected) => {
  const draft = { ...draftOf(notes), series }
  expect(faultOf(draft)).toBe(fault)
  if (expected) expect(exerciseOf(draft).notes).toEqual(expected)
})

it.each([
  ['1/4 r1/8', undefined],
  ['1/0', 'rhythm'],
  ['quarter', 'rhythm'],
] as const)('durations are fractions: %s', (series, fault) => {
  expect(faultOf({ ...draftOf(rhythm), series })).toBe(fault)
})

it('a rhythm needs a question, because its solution is not shown', () => {
  expect(faultOf({ ...draftOf(rhythm), prompt: ' ' })).toBe('question')
})
