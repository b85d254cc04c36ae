import type { Gradebook } from '../../../../src/contract/submissions.ts'

type Cell = Pick<Gradebook['students'][number]['grades'][number], 'grade' | 'maxPoints'>

/**
 * Returns the share of the points that a student has reached in all graded work, from 0 to 1. Work with more points counts more. Drafts, work
 * without a grade, and grades without a maximum do not count. Undefined if nothing counts.
 */
export function averageOf(cells: readonly Cell[]): number | undefined {
  let [reached, most] = [0, 0]
  for (const { grade, maxPoints = 0 } of cells) {
    if (grade === undefined || maxPoints === 0) continue
    reached += grade
    most += maxPoints
  }
  return most > 0 ? reached / most : undefined
}

type Student = Gradebook['students'][number]

export const studentName = ({ firstname, lastname, username }: Student): string =>
  [firstname, lastname].filter(Boolean).join(' ') || username

/** Returns the gradebook as a table for a spreadsheet. Averages are percentages. Work that is missing says so until it has a grade. */
export function gradeRows(
  { assignments, students }: Gradebook,
  texts: { readonly name: string; readonly average: string; readonly missing: string },
): (string | number | undefined)[][] {
  return [
    [texts.name, `${texts.average} (%)`, ...assignments.map(({ title }) => title)],
    ...students.map((student) => [
      studentName(student),
      percentOf(averageOf(student.grades)),
      ...assignments.map(({ id }) => {
        const cell = student.grades.find(({ assignment }) => assignment === id)
        return cell?.grade ?? (cell?.missing ? texts.missing : undefined)
      }),
    ]),
  ]
}

const percentOf = (average: number | undefined): number | undefined =>
  average === undefined ? undefined : Math.round(average * 1000) / 10
