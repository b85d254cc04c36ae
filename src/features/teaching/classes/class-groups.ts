import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import { canManage, isReadOnly, loadGroup } from '../../people/groups/policy.ts'
import { type GroupRow, listMembersAmong } from '../../people/groups/store.ts'
import { checkMember } from '../../people/organizations/policy.ts'
import { checkOpen, visibleTo } from './policy.ts'
import { type ClassRow, findClass } from './store.ts'

/**
 * Loads a group whose class the actor can see, and the class.
 * @throws GROUP_NOT_FOUND
 */
export async function loadGroupOfClass(
  queries: Queries,
  actor: Actor,
  id: string,
): Promise<{ group: GroupRow; schoolClass: ClassRow | undefined }> {
  const group = await loadGroup(queries, actor, id)
  if (group.class_id === null) return { group, schoolClass: undefined }
  const schoolClass = await findClass(queries, { id: group.class_id, viewer: actor.id })
  if (!schoolClass || !visibleTo(checkMember(actor), schoolClass)) fail('GROUP_NOT_FOUND')
  return { group, schoolClass }
}

/**
 * Loads a subgroup of a class that the actor wants to change, and the class.
 * @throws GROUP_NOT_FOUND, GROUP_ACCESS_DENIED, GROUP_READ_ONLY, CLASS_ARCHIVED
 */
export async function loadOpenGroup(
  queries: Queries,
  actor: Actor,
  id: string,
): Promise<{ group: GroupRow; schoolClass: ClassRow }> {
  const { group, schoolClass } = await loadGroupOfClass(queries, actor, id)
  if (!canManage(group, actor)) fail('GROUP_ACCESS_DENIED')
  if (!schoolClass || isReadOnly(group)) fail('GROUP_READ_ONLY')
  checkOpen(schoolClass)
  return { group, schoolClass }
}

/**
 * Checks that all of these users are students of the class.
 * @throws NOT_A_STUDENT
 */
export async function checkStudents(
  queries: Queries,
  schoolClass: ClassRow,
  users: readonly string[],
  param: string,
): Promise<void> {
  const students = await listMembersAmong(queries, schoolClass.students_group_id, users)
  if (users.some((user) => !students.has(user))) fail('NOT_A_STUDENT', { param })
}
