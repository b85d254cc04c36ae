import type { SubmissionsTable } from '../../db/school-tables.ts'

/** What decides which of the submissions that a student has part in is the student’s work on an assignment. */
export interface Claim extends Pick<SubmissionsTable, 'id' | 'assignment_id' | 'group_id'> {
  /** Whether it is that of a group which the assignment names. */
  of_named_group: 0 | 1
}

/**
 * Of the submissions that one student has part in, those that count, one of each assignment: that of the group which the
 * assignment names, else that of another group, of several the oldest group's; else, of those that are the student's alone,
 * the oldest. They stay in their order.
 */
export function thatCount<Row extends Claim>(submissions: readonly Row[]): Row[] {
  const counting = new Map<string, Row>()
  for (const submission of submissions) {
    const { assignment_id } = submission
    const other = counting.get(assignment_id)
    if (!other || rankOf(submission) < rankOf(other)) counting.set(assignment_id, submission)
  }
  return submissions.filter((submission) => counting.get(submission.assignment_id) === submission)
}

/** What is less goes first: ids begin with the time at which they were made. */
function rankOf({ id, group_id, of_named_group }: Claim): string {
  if (group_id === null) return `2 ${id}`
  return `${of_named_group ? 0 : 1} ${group_id} ${id}`
}
