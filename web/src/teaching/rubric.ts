import type { ClassAssignment, Rubric } from '../../../src/contract/assignments.ts'
import type { RubricGrade } from '../../../src/contract/submissions.ts'

export type Criterion = Rubric['criteria'][number]

/** The points that a work has for each criterion, by the id of the criterion. */
export type Choices = Readonly<Record<string, number>>

export const choicesOf = (grades: readonly RubricGrade[] = []): Choices =>
  Object.fromEntries(grades.map(({ criterion, points }) => [criterion, points]))

/** Returns the criteria if a teacher can choose a level for each of them. */
export function chosenByLevel({ rubric }: Pick<ClassAssignment, 'rubric'>): readonly Criterion[] | undefined {
  const criteria = rubric?.criteria
  return criteria?.every(({ levels = [] }) => levels.length > 0) ? criteria : undefined
}

/** Returns the points for each criterion, or undefined if one has none yet. */
export function gradesOf(criteria: readonly Criterion[], choices: Choices): RubricGrade[] | undefined {
  const grades = criteria.flatMap(({ id }) => {
    const points = choices[id]
    return points === undefined ? [] : [{ criterion: id, points }]
  })
  return grades.length === criteria.length ? grades : undefined
}

/** Returns a sum of points, exact to two decimals as on the server. */
export const sumOf = (all: readonly { readonly points: number }[]): number =>
  Math.round(all.reduce((sum, { points }) => sum + points, 0) * 100) / 100

/** Returns the name of a level with its points: `Secure · 4.5`. */
export const levelName = (
  { title, points }: { readonly title: string; readonly points: number },
  language: string,
): string => `${title} · ${new Intl.NumberFormat(language).format(points)}`
