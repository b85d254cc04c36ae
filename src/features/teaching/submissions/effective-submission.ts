import type { SubmissionsTable } from '../../../platform/db/school-tables.ts'

/** The columns that decide which of a student's submissions to an assignment is the effective one. */
export interface SubmissionCandidate extends Pick<SubmissionsTable, 'id' | 'assignment_id' | 'group_id'> {
  /** Whether the submission belongs to a group that the assignment is assigned to. */
  of_named_group: 0 | 1
}

/**
 * Reduces the submissions of one student to the effective submission of each assignment. A submission of a
 * group that the assignment is assigned to comes first, then a submission of another group, then an
 * individual submission. The oldest group or the oldest submission wins a tie. The order of the rows does not
 * change.
 */
export function effectiveSubmissions<Row extends SubmissionCandidate>(submissions: readonly Row[]): Row[] {
  const effective = new Map<string, Row>()
  for (const submission of submissions) {
    const { assignment_id } = submission
    const other = effective.get(assignment_id)
    if (!other || rankOf(submission) < rankOf(other)) effective.set(assignment_id, submission)
  }
  return submissions.filter((submission) => effective.get(submission.assignment_id) === submission)
}

/** The sort key of a candidate; the smallest wins. Ids sort by creation time. */
function rankOf({ id, group_id, of_named_group }: SubmissionCandidate): string {
  if (group_id === null) return `2 ${id}`
  return `${of_named_group ? 0 : 1} ${group_id} ${id}`
}
