import type { ClassAssignmentUpdate } from '../../../contract/assignments.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { fail } from '../../../errors.ts'
import { checkStudents } from '../classes/class-groups.ts'
import type { ClassRow } from '../classes/store.ts'
import { listSubGroups } from '../../people/groups/store.ts'
import { type Assignees, listAssignees, listNamedGroups } from './assignees.store.ts'

/** The new assignees of an assignment. Undefined fields stay unchanged. */
export type AssigneeChange = { [K in keyof Assignees]: Assignees[K] | undefined } & {
  mode: AssignmentsTable['assignee_mode'] | undefined
}

/**
 * Returns the change of assignees that a body asks for. If the body has no `assigneeMode`, the mode becomes
 * `selected` when the body names an assignee, and `everyone` when no assignee is left.
 * @throws NOT_A_STUDENT, GROUP_NOT_FOUND
 */
export async function assigneesOf(
  queries: Queries,
  schoolClass: ClassRow,
  assignment: string,
  { assigneeMode, assignedStudents, classGroupIds }: ClassAssignmentUpdate,
): Promise<AssigneeChange> {
  const students = assignedStudents && [...new Set(assignedStudents)]
  const groups = classGroupIds === undefined ? undefined : [...new Set(classGroupIds)]
  if (students && students.length > 0) await checkStudents(queries, schoolClass, students, 'assignedStudents')
  if (groups && groups.length > 0) {
    const own = await listNamedGroups(queries, assignment)
    const ofClass = await listSubGroups(queries, { classId: schoolClass.id })
    const known = new Set([...ofClass, ...own].map(({ id }) => id))
    if (groups.some((group) => !known.has(group))) fail('GROUP_NOT_FOUND', { param: 'classGroupIds' })
  }
  const changed = [students, groups].filter((named) => named !== undefined)
  if (assigneeMode !== undefined || changed.length === 0) return { mode: assigneeMode, students, groups }
  const namesAssignee = changed.some((named) => named.length > 0)
  const isNamed =
    namesAssignee ||
    (changed.length === 1 && (await hasOtherAssignees(queries, assignment, { students, groups })))
  return { mode: namesAssignee ? 'selected' : isNamed ? undefined : 'everyone', students, groups }
}

/** Whether a change names other students than before, or makes the assignment for everyone or no longer. */
export async function changesStudents(
  queries: Queries,
  before: Pick<AssignmentsTable, 'id' | 'assignee_mode'>,
  { mode = before.assignee_mode, students }: AssigneeChange,
): Promise<boolean> {
  if (mode !== before.assignee_mode) return true
  if (mode === 'everyone' || students === undefined) return false
  const known = (await listAssignees(queries, [before.id])).students.get(before.id) ?? []
  return known.length !== students.length || known.some(({ id }) => !students.includes(id))
}

/** Whether the assignment has assignees in a list that the body does not change. */
async function hasOtherAssignees(
  queries: Queries,
  assignment: string,
  changed: { [K in keyof Assignees]: unknown },
): Promise<boolean> {
  const { students, groups } = await listAssignees(queries, [assignment])
  return (
    (changed.students === undefined && students.size > 0) ||
    (changed.groups === undefined && (groups.get(assignment) ?? []).some(({ automatic }) => automatic === 0))
  )
}
