import type { Assignment, ClassAssignment } from '../../../contract/assignments.ts'
import type { AssignmentSubmission } from '../../../contract/submissions.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { canManage } from '../classes/policy.ts'
import type { LoadedAssignment } from './policy.ts'
import { capabilitiesOf, presentAssignment, presentClassAssignment } from './present.ts'
import { listAttachments } from './attachments.store.ts'
import { listAssignees } from './assignees.store.ts'
import { listExcused } from './excuses.store.ts'

/**
 * Presents assignments of a class to a viewer, with a constant number of queries.
 * @param submissions the submissions to these assignments that the viewer can see
 */
export async function composeClassAssignments(
  queries: Queries,
  viewer: string,
  assignments: readonly LoadedAssignment[],
  submissions: readonly AssignmentSubmission[],
): Promise<ClassAssignment[]> {
  const submitted = Map.groupBy(submissions, ({ assignment }) => assignment)
  const ids = assignments.map(({ assignment }) => assignment.id)
  const [attachments, { students, groups }, excused] = await Promise.all([
    listAttachments(queries, ids),
    listAssignees(queries, ids),
    listExcused(queries, ids),
  ])
  return assignments.map((loaded) => {
    const { id } = loaded.assignment
    return presentClassAssignment(loaded, viewer, {
      attachments: attachments.get(id) ?? [],
      students: students.get(id) ?? [],
      groups: groups.get(id) ?? [],
      excused: excused.get(id) ?? [],
      submissions: submitted.get(id) ?? [],
    })
  })
}

/** Presents one assignment of a class. */
export async function composeClassAssignment(
  queries: Queries,
  viewer: string,
  loaded: LoadedAssignment,
  submissions: readonly AssignmentSubmission[],
): Promise<ClassAssignment> {
  const [assignment] = await composeClassAssignments(queries, viewer, [loaded], submissions)
  return assignment as ClassAssignment
}

/** Presents an assignment without the fields that only lists of a class have. */
export async function composeAssignment(queries: Queries, loaded: LoadedAssignment): Promise<Assignment> {
  const { assignment, relation } = loaded
  const attachments = (await listAttachments(queries, [assignment.id])).get(assignment.id) ?? []
  const forTeachers = canManage(relation)
  return presentAssignment(assignment, attachments, { capabilities: capabilitiesOf(loaded), forTeachers })
}
