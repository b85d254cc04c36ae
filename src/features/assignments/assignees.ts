import type { ClassAssignmentUpdate } from '../../contract/assignments.ts'
import type { Queries } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import { fail } from '../../errors.ts'
import { checkStudents } from '../classes/class-groups.ts'
import type { ClassRow } from '../classes/store.ts'
import { listSubGroups } from '../groups/store.ts'
import type { Assignees } from './store.ts'

/** For whom an assignment is from now on; what is undefined stays. */
export type AssigneeChange = { [K in keyof Assignees]: Assignees[K] | undefined } & {
  mode: AssignmentsTable['assignee_mode'] | undefined
}

/**
 * What a body says of whom an assignment is for. Naming somebody makes it theirs alone, unless the body says that it is for
 * everyone.
 * @throws NOT_A_STUDENT, GROUP_NOT_FOUND
 */
export async function assigneesOf(
  queries: Queries,
  klass: ClassRow,
  { assigneeMode, assignedStudents, classGroupIds }: ClassAssignmentUpdate,
): Promise<AssigneeChange> {
  const students = assignedStudents && [...new Set(assignedStudents)]
  const groups = classGroupIds === undefined ? undefined : [...new Set(classGroupIds)]
  if (students && students.length > 0) await checkStudents(queries, klass, students, 'assignedStudents')
  if (groups && groups.length > 0) {
    const known = new Set((await listSubGroups(queries, { classId: klass.id })).map(({ id }) => id))
    if (groups.some((group) => !known.has(group))) fail('GROUP_NOT_FOUND', { param: 'classGroupIds' })
  }
  const namesSomebody = [...(students ?? []), ...(groups ?? [])].length > 0
  return { mode: assigneeMode ?? (namesSomebody ? 'selected' : undefined), students, groups }
}
