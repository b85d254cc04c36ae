import type { Exercise } from '../../contract/exercises.ts'
import { fail } from '../../errors.ts'

/**
 * Holds that each exercise can be answered, and that what answers it can be told (docs/exercises.md).
 * @throws INVALID_PARAMETER
 */
export function checkExercises(exercises: readonly Exercise[]): void {
  for (const [index, exercise] of exercises.entries()) check[exercise.type](exercise, `exercises.${index}`)
}

const check: Record<Exercise['type'], (exercise: Exercise, at: string) => void> = {
  multipleChoice({ choices = [], solution = [] }, at) {
    if (choices.length === 0) refuse(`${at}.choices`, 'has nothing to be chosen')
    const ids = choices.map(({ id }) => id)
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) < index) refuse(`${at}.choices.${index}.id`, 'stands there twice')
    }
    for (const [index, id] of solution.entries()) {
      if (!ids.includes(id)) refuse(`${at}.solution.${index}`, 'is none of the choices')
      if (solution.indexOf(id) < index) refuse(`${at}.solution.${index}`, 'stands there twice')
    }
  },
  noteNaming({ notes = [] }, at) {
    if (notes.length === 0) refuse(`${at}.notes`, 'has nothing to be named')
  },
  rhythm({ solution = [] }, at) {
    if (solution.length === 0) refuse(`${at}.solution`, 'has no durations')
    const wrong = solution.findIndex((duration) => !durationOf(duration))
    if (wrong >= 0) refuse(`${at}.solution.${wrong}`, 'is no duration, as `1/4` or `r1/8` is')
  },
}

/**
 * A duration as exercises have it.
 * @param text a fraction of a whole note, with an `r` before that of a rest
 * @returns its length in whole notes; undefined for what is none
 */
export function durationOf(text: string): { isRest: boolean; length: number } | undefined {
  const [, rest, numerator, denominator] = /^(r?)(\d{1,3})\/(\d{1,3})$/.exec(text.trim()) ?? []
  const length = Number(numerator) / Number(denominator)
  return length > 0 && Number.isFinite(length) ? { isRest: rest === 'r', length } : undefined
}

function refuse(param: string, what: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${what}.` })
}
