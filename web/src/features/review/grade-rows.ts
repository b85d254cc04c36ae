import type { Gradebook } from '../../../../src/contract/submissions.ts'

type Cell = Pick<
  Gradebook['students'][number]['grades'][number],
  'assignment' | 'grade' | 'maxPoints' | 'excused'
>
type Weighted = Pick<Gradebook['assignments'][number], 'id' | 'weight'>

/**
 * Returns the share of the points that a student has reached in all graded work, from 0 to 1. Work with more points or a greater weight
 * counts more. Drafts, work without a grade, grades without a maximum, and work from which the student is excused do not count. Undefined if
 * nothing counts.
 */
export function averageOf(cells: readonly Cell[], assignments: readonly Weighted[]): number | undefined {
  const weights = new Map(assignments.map(({ id, weight = 1 }) => [id, weight]))
  let [reached, most] = [0, 0]
  for (const { assignment, grade, maxPoints = 0, excused } of cells) {
    if (grade === undefined || excused) continue
    const weight = weights.get(assignment) ?? 1
    reached += weight * (maxPoints === 0 ? 0 : grade)
    most += weight * maxPoints
  }
  return most > 0 ? reached / most : undefined
}

type Student = Gradebook['students'][number]

export const studentName = ({ firstname, lastname, username }: Student): string =>
  [firstname, lastname].filter(Boolean).join(' ') || username

/** Returns the gradebook as a table for a spreadsheet. Averages are percentages. Work that is missing says so until it has a grade. */
export function gradeRows(
  { assignments, students }: Gradebook,
  texts: {
    readonly name: string
    readonly average: string
    readonly missing: string
    readonly excused: string
  },
): (string | number | undefined)[][] {
  return [
    [texts.name, `${texts.average} (%)`, ...assignments.map(headingOf)],
    ...students.map((student) => [
      studentName(student),
      percentOf(averageOf(student.grades, assignments)),
      ...assignments.map(({ id }) => {
        const cell = student.grades.find(({ assignment }) => assignment === id)
        if (cell?.excused) return texts.excused
        return cell?.grade ?? (cell?.missing ? texts.missing : undefined)
      }),
    ]),
  ]
}

/** The title, with the weight if it is not 1. */
const headingOf = ({ title, weight }: Gradebook['assignments'][number]): string =>
  weight === undefined ? title : `${title} (× ${weight})`

const percentOf = (average: number | undefined): number | undefined =>
  average === undefined ? undefined : Math.round(average * 1000) / 10
