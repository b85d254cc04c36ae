import type { Queries } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Actor } from '../../operation.ts'
import { canManage, isReadOnly, loadGroup } from '../groups/policy.ts'
import { type GroupRow, listMembersAmong } from '../groups/store.ts'
import { checkMember } from '../organizations/policy.ts'
import { checkOpen, seenBy } from './policy.ts'
import { type ClassRow, findClass } from './store.ts'

/** A group that the actor may know of, as well as of its class. @throws GROUP_NOT_FOUND */
export async function loadGroupOfClass(
  queries: Queries,
  actor: Actor,
  id: string,
): Promise<{ group: GroupRow; klass: ClassRow | undefined }> {
  const group = await loadGroup(queries, actor, id)
  if (group.class_id === null) return { group, klass: undefined }
  const klass = await findClass(queries, { id: group.class_id, viewer: actor.id })
  if (!klass || !seenBy(checkMember(actor), klass)) fail('GROUP_NOT_FOUND')
  return { group, klass }
}

/**
 * A part of a class's students that the actor is about to change, and the class.
 * @throws GROUP_NOT_FOUND, GROUP_ACCESS_DENIED, GROUP_READ_ONLY, CLASS_ARCHIVED
 */
export async function loadOpenGroup(
  queries: Queries,
  actor: Actor,
  id: string,
): Promise<{ group: GroupRow; klass: ClassRow }> {
  const { group, klass } = await loadGroupOfClass(queries, actor, id)
  if (!canManage(group, actor)) fail('GROUP_ACCESS_DENIED')
  if (!klass || isReadOnly(group)) fail('GROUP_READ_ONLY')
  checkOpen(klass)
  return { group, klass }
}

/** @throws NOT_A_STUDENT where not all of them learn in the class */
export async function checkStudents(
  queries: Queries,
  klass: ClassRow,
  users: readonly string[],
  param: string,
): Promise<void> {
  const students = await listMembersAmong(queries, klass.students_group_id, users)
  if (users.some((user) => !students.has(user))) fail('NOT_A_STUDENT', { param })
}
