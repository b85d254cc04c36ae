import type { Gradebook } from '../../../contract/submissions.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { GradebookAssignmentRow } from '../assignments/store.ts'
import type { AssigneesByAssignment } from '../assignments/assignees.store.ts'
import { isLate, isMissing } from './lifecycle.ts'
import { assignmentMaxPoints } from './worksheets.ts'
import { maxPointsOf, type StudentRow, type StudentSubmissionRow } from './roster.store.ts'

type GradebookAssignment = Gradebook['assignments'][number]

/** Presents the state and grades of these students in each assignment. */
export function presentGradebook(
  students: readonly StudentRow[],
  assignments: readonly GradebookAssignmentRow[],
  {
    assignees,
    excused,
    work,
    now,
  }: {
    assignees: AssigneesByAssignment
    /** The ids of the excused students by assignment. */
    excused: ReadonlyMap<string, readonly string[]>
    work: ReadonlyMap<string, readonly StudentSubmissionRow[]>
    now: number
  },
): Gradebook {
  const named = new Map(assignments.map(({ id }) => [id, namedBy(assignees, id)]))
  const isFor = ({ id, assignee_mode }: GradebookAssignmentRow, student: string) =>
    assignee_mode === 'everyone' || named.get(id)?.has(student) === true
  return {
    assignments: assignments.map(({ id, title, state, due_at, weight, ...graded }) => ({
      id,
      title,
      state: state as GradebookAssignment['state'],
      dueDate: due_at === null ? undefined : dateTime(due_at),
      maxPoints: assignmentMaxPoints(graded) ?? undefined,
      weight: weight === 1 ? undefined : weight,
    })),
    students: students.map(({ id, username, firstname, lastname }) => {
      const submissions = new Map((work.get(id) ?? []).map((row) => [row.assignment_id, row]))
      const listed = assignments.filter(
        (assignment) => isFor(assignment, id) || submissions.has(assignment.id),
      )
      return {
        user: id,
        username,
        firstname: firstname ?? undefined,
        lastname: lastname ?? undefined,
        grades: listed.map((assignment) => {
          const isExcused = excused.get(assignment.id)?.includes(id) === true
          return presentCell(assignment, submissions.get(assignment.id), { isExcused, now })
        }),
      }
    }),
  }
}

function presentCell(
  { id, due_at }: GradebookAssignmentRow,
  submission: StudentSubmissionRow | undefined,
  { isExcused, now }: { isExcused: boolean; now: number },
) {
  return {
    assignment: id,
    submission: submission?.id,
    state: submission?.state,
    grade: submission?.grade ?? undefined,
    draftGrade: submission?.draft_grade ?? undefined,
    maxPoints: (submission && maxPointsOf(submission)) ?? undefined,
    late: isLate(submission?.submitted_at ?? null, due_at),
    missing: !isExcused && isMissing(submission?.state ?? 'none', due_at, now),
    excused: isExcused || undefined,
  }
}

/** Returns the students that an assignment is assigned to, individually or through a group. */
function namedBy({ students, groups }: AssigneesByAssignment, assignment: string): ReadonlySet<string> {
  const studentIds = (students.get(assignment) ?? []).map(({ id }) => id)
  const inGroups = (groups.get(assignment) ?? []).flatMap(({ members }) => members?.split(',') ?? [])
  return new Set([...studentIds, ...inGroups])
}
