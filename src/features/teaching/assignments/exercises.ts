import type { Exercise } from '../../../contract/exercises.ts'
import { fail } from '../../../errors.ts'

/**
 * Checks that each exercise can be answered and graded (docs/exercises.md).
 * @throws INVALID_PARAMETER
 */
export function checkExercises(exercises: readonly Exercise[]): void {
  for (const [index, exercise] of exercises.entries()) check[exercise.type](exercise, `exercises.${index}`)
}

const check: Record<Exercise['type'], (exercise: Exercise, at: string) => void> = {
  multipleChoice({ choices = [], solution = [] }, at) {
    if (choices.length === 0) refuse(`${at}.choices`, 'must have at least one choice')
    const ids = choices.map(({ id }) => id)
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) < index) refuse(`${at}.choices.${index}.id`, 'is repeated')
    }
    for (const [index, id] of solution.entries()) {
      if (!ids.includes(id)) refuse(`${at}.solution.${index}`, 'must be the id of a choice')
      if (solution.indexOf(id) < index) refuse(`${at}.solution.${index}`, 'is repeated')
    }
  },
  noteNaming({ notes = [] }, at) {
    if (notes.length === 0) refuse(`${at}.notes`, 'must have at least one note')
  },
  rhythm({ solution = [] }, at) {
    if (solution.length === 0) refuse(`${at}.solution`, 'must have at least one duration')
    const wrong = solution.findIndex((duration) => !durationOf(duration))
    if (wrong >= 0) refuse(`${at}.solution.${wrong}`, 'must be a duration such as `1/4` or `r1/8`')
  },
}

/**
 * Parses a duration.
 * @param text a fraction of a whole note, with the prefix `r` for a rest
 * @returns the length in whole notes; undefined for an invalid duration
 */
export function durationOf(text: string): { isRest: boolean; length: number } | undefined {
  const [, rest, numerator, denominator] = /^(r?)(\d{1,3})\/(\d{1,3})$/.exec(text.trim()) ?? []
  const length = Number(numerator) / Number(denominator)
  return length > 0 && Number.isFinite(length) ? { isRest: rest === 'r', length } : undefined
}

function refuse(param: string, problem: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${problem}.` })
}
