import type { ClassAssignment } from '../../../../src/contract/assignments.ts'
import type { AssignmentSubmission } from '../../../../src/contract/submissions.ts'
import type { UserPublic } from '../../../../src/contract/users.ts'
import { nameOf } from '../../teaching/people.ts'
import { type WorkState, workStateOf } from '../../teaching/work-state.ts'

/** One work to review: of a student, or of a group that hands in together. */
export interface ReviewRow {
  /** The id of the student or of the group. */
  readonly key: string
  readonly name: string
  readonly submission: AssignmentSubmission | undefined
  readonly state: WorkState
  readonly isLate: boolean
  /** Whether the student need not do it. Undefined for a group, which cannot be excused. */
  readonly isExcused: boolean | undefined
}

type Student = Pick<UserPublic, 'id' | 'printableName' | 'name' | 'username'>

/**
 * Returns the works of an assignment, also those that nobody has started.
 * @param students the students of the class, in the order of the list
 * @param now milliseconds since 1970
 */
export function rowsOf(assignment: ClassAssignment, students: readonly Student[], now: number): ReviewRow[] {
  const { assigneeMode, assignedStudents = [], assignedGroups = [], submissions } = assignment
  const { excusedStudents = [] } = assignment
  const isInGroups = assignment.submissionStudentsMode === 'group'
  const row = (
    key: string,
    name: string,
    submission: AssignmentSubmission | undefined,
    isExcused?: boolean,
  ): ReviewRow => ({
    key,
    name,
    submission,
    state: workStateOf({ ...assignment, submission, isExcused: isExcused === true }, now),
    isLate: submission?.late === true,
    isExcused,
  })
  const groups = isInGroups
    ? assignedGroups.map(({ id, name }) =>
        row(
          id,
          name,
          submissions.find(({ group }) => group === id),
        ),
      )
    : []
  const inGroups = new Set(assignedGroups.flatMap(({ members }) => members))
  const single = students.filter(({ id }) => {
    // Who has handed in alone stays in the list, also in group work and after the assignment is no longer for them.
    if (submissions.some(({ creator, group }) => creator === id && group === undefined)) return true
    if (isInGroups && inGroups.has(id)) return false
    return assigneeMode !== 'selected' || assignedStudents.includes(id) || inGroups.has(id)
  })
  return [
    ...groups,
    ...single.map((student) =>
      row(
        student.id,
        nameOf(student),
        submissions.find(({ creator, group }) => creator === student.id && group === undefined),
        excusedStudents.includes(student.id),
      ),
    ),
  ]
}

export const filters = ['all', 'toReview', 'ungraded', 'late', 'missing', 'returned'] as const
export type Filter = (typeof filters)[number]

export function matches({ state, submission, isLate }: ReviewRow, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'toReview':
      return state === 'turnedIn'
    case 'ungraded':
      return submission !== undefined && gradeOf(submission) === undefined
    case 'late':
      return isLate
    case 'missing':
      return state === 'missing'
    case 'returned':
      return state === 'returned' || state === 'graded'
  }
}

/** The grade that counts next: the draft, or else the one that the student sees. */
export function gradeOf({ draftGrade, grade }: AssignmentSubmission): number | undefined {
  return draftGrade ?? grade ?? undefined
}

/** The most points of an assignment. Undefined if it is not graded. */
export function maximumOf({ maxPoints, exercises, rubric }: ClassAssignment): number | undefined {
  const sum = (all: readonly { points?: number }[]) =>
    all.reduce((total, { points = 1 }) => total + points, 0)
  if (maxPoints !== undefined) return maxPoints
  if (rubric) return sum(rubric.criteria)
  return exercises && sum(exercises)
}

/** The works that go back when all graded works are returned. */
export const gradedRows = (rows: readonly ReviewRow[]): ReviewRow[] =>
  rows.filter(
    ({ submission }) =>
      submission !== undefined &&
      (submission.state === 'graded' || submission.state === 'turnedIn') &&
      gradeOf(submission) !== undefined,
  )
