import type { ClassRole } from '../../../contract/users.ts'
import type { Queries } from '../../../platform/db/database.ts'
import type { GroupsTable } from '../../../platform/db/tables.ts'
import { type FailureDetails, fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import { isAdministrator, isStudent } from '../organizations/policy.ts'
import { findGroup, type GroupRow } from './store.ts'

/** Whether the members of a group follow from the class. Only subgroups are created by users. */
export const isReadOnly = ({ type }: Pick<GroupsTable, 'type'>): boolean => type !== 'classStudentsSubGroup'

/**
 * Whether a member of its organization may know that a group exists. Its members, the teachers of its class and
 * administrators may. A student of the class may know the automatic groups of the class, and a member of
 * staff of the groups without a class.
 */
function canSee(group: GroupRow, actor: Actor): boolean {
  if (isAdministrator(actor) || group.is_member === 1 || group.is_teacher === 1) return true
  if (group.class_id === null) return !isStudent(actor)
  return group.is_student === 1 && (group.type === 'classTeachers' || group.type === 'classStudents')
}

/** Whether the actor manages the groups of the class. */
export const canManage = (group: GroupRow, actor: Actor): boolean =>
  isAdministrator(actor) || group.is_teacher === 1

/** Whether the actor may list the scores that are shared with the group. */
export const canFindScores = (group: GroupRow, actor: Actor): boolean =>
  canManage(group, actor) || group.is_member === 1

/** Returns the role that the members of a group have in its class. */
export function classRoleIn({
  type,
  class_id,
}: Pick<GroupsTable, 'type' | 'class_id'>): ClassRole | undefined {
  if (class_id === null) return undefined
  return type === 'classTeachers' ? 'teacher' : 'student'
}

/**
 * Loads a group that the actor may know.
 * @throws GROUP_NOT_FOUND
 */
export async function loadGroup(
  queries: Queries,
  actor: Actor,
  id: string,
  details?: FailureDetails,
): Promise<GroupRow> {
  const group = isId(id) ? await findGroup(queries, { id, viewer: actor.id }) : undefined
  if (!group || group.organization_id !== actor.organization || !canSee(group, actor))
    fail('GROUP_NOT_FOUND', details)
  return group
}
