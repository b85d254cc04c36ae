import type { ClassRole } from '../../contract/users.ts'
import type { Queries } from '../../db/database.ts'
import type { GroupsTable } from '../../db/tables.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor } from '../../operation.ts'
import { isAdministrator, isStudent } from '../organizations/policy.ts'
import { findGroup, type GroupRow } from './store.ts'

/** Whether its members follow from something else; only sub-groups of a class are made by people. */
export const isReadOnly = ({ type }: Pick<GroupsTable, 'type'>): boolean => type !== 'classStudentsSubGroup'

/**
 * Whether somebody of its organization may know of a group: who is in it, who teaches its class, and administrators. Those
 * who learn in the class know the groups of all its teachers and all its students, and those who work at the organization
 * the groups of no class.
 */
function canSee(group: GroupRow, actor: Actor): boolean {
  if (isAdministrator(actor) || group.is_member === 1 || group.is_teacher === 1) return true
  if (group.class_id === null) return !isStudent(actor)
  return group.is_student === 1 && (group.type === 'classTeachers' || group.type === 'classStudents')
}

/** Whether somebody sets up the groups of its class. */
export const canManage = (group: GroupRow, actor: Actor): boolean => isAdministrator(actor) || group.is_teacher === 1

/** Whether somebody finds what was given to it. */
export const canFindScores = (group: GroupRow, actor: Actor): boolean =>
  canManage(group, actor) || group.is_member === 1

/** What the members of a group are in its class. */
export function classRoleIn({ type, class_id }: Pick<GroupsTable, 'type' | 'class_id'>): ClassRole | undefined {
  if (class_id === null) return undefined
  return type === 'classTeachers' ? 'teacher' : 'student'
}

/** A group that the actor may know of. @throws GROUP_NOT_FOUND */
export async function loadGroup(
  queries: Queries,
  actor: Actor,
  id: string,
  details?: FailureDetails,
): Promise<GroupRow> {
  const group = isId(id) ? await findGroup(queries, { id, viewer: actor.id }) : undefined
  if (!group || group.organization_id !== actor.organization || !canSee(group, actor)) fail('GROUP_NOT_FOUND', details)
  return group
}
