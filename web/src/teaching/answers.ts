import type { ExerciseAnswer } from '../../../src/contract/exercises.ts'

/** The answers of a student by exercise. Names and durations are texts, with spaces between them. */
export type Answers = Readonly<Record<string, readonly string[]>>

export const answersFrom = (answers: readonly ExerciseAnswer[] = []): Answers =>
  Object.fromEntries(answers.map(({ exercise, answer }) => [exercise, answer]))

export const answersOf = (answers: Answers): ExerciseAnswer[] =>
  Object.entries(answers).map(([exercise, answer]) => ({ exercise, answer: [...answer] }))
