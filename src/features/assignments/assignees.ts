import type { ClassAssignmentUpdate } from '../../contract/assignments.ts'
import type { Queries } from '../../db/database.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import { fail } from '../../errors.ts'
import { checkStudents } from '../classes/class-groups.ts'
import type { ClassRow } from '../classes/store.ts'
import { listSubGroups } from '../groups/store.ts'
import { type Assignees, listAssignees } from './store.ts'

/** For whom an assignment is from now on; what is undefined stays. */
export type AssigneeChange = { [K in keyof Assignees]: Assignees[K] | undefined } & {
  mode: AssignmentsTable['assignee_mode'] | undefined
}

/**
 * What a body says of whom an assignment is for. Naming somebody makes it theirs alone, and naming nobody any more everyone’s,
 * unless the body says itself for whom it is.
 * @throws NOT_A_STUDENT, GROUP_NOT_FOUND
 */
export async function assigneesOf(
  queries: Queries,
  klass: ClassRow,
  assignment: string,
  { assigneeMode, assignedStudents, classGroupIds }: ClassAssignmentUpdate,
): Promise<AssigneeChange> {
  const students = assignedStudents && [...new Set(assignedStudents)]
  const groups = classGroupIds === undefined ? undefined : [...new Set(classGroupIds)]
  if (students && students.length > 0) await checkStudents(queries, klass, students, 'assignedStudents')
  if (groups && groups.length > 0) {
    const known = new Set((await listSubGroups(queries, { classId: klass.id })).map(({ id }) => id))
    if (groups.some((group) => !known.has(group))) fail('GROUP_NOT_FOUND', { param: 'classGroupIds' })
  }
  const said = [students, groups].filter((named) => named !== undefined)
  if (assigneeMode !== undefined || said.length === 0) return { mode: assigneeMode, students, groups }
  const namesSomebody = said.some((named) => named.length > 0)
  const isNamed = namesSomebody || (said.length === 1 && (await namesOthers(queries, assignment, { students, groups })))
  return { mode: namesSomebody ? 'selected' : isNamed ? undefined : 'everyone', students, groups }
}

/** Whether an assignment names somebody already of whom a body says nothing. */
async function namesOthers(
  queries: Queries,
  assignment: string,
  said: { [K in keyof Assignees]: unknown },
): Promise<boolean> {
  const { students, groups } = await listAssignees(queries, [assignment])
  return (said.students === undefined && students.size > 0) || (said.groups === undefined && groups.size > 0)
}
