import type { GroupType } from '../../contract/sharing.ts'
import type { ClassRole, OrganizationRole } from '../../contract/users.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { findOtherMember, insertGroupMember } from '../groups/store.ts'
import { classRoleOf } from './policy.ts'

/** The groups of a class that those are in who are this in it, the automatic one first. */
const placesOf = {
  teacher: ['classTeachers'],
  student: ['classStudents', 'classStudentsSubGroup', 'assignmentStudentsSubGroup'],
} as const satisfies Record<ClassRole, readonly GroupType[]>

/**
 * Puts somebody whose role in the organization has changed where such people are in their classes, and passes on the
 * classes that a student does not own any more.
 * @param heir who gets those that nobody else teaches
 */
export async function followRole(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  user: string,
  role: OrganizationRole,
  heir: () => Promise<string>,
): Promise<void> {
  const to = classRoleOf(role)
  const from = to === 'teacher' ? 'student' : 'teacher'
  const left = await tx
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .where('group_members.user_id', '=', user)
    .where('groups.class_id', 'is not', null)
    .where('groups.type', 'in', placesOf[from])
    .select(['groups.id', 'groups.class_id'])
    .execute()
  if (to === 'student') await passClassesOn({ clock }, tx, user, heir)
  for (const { id, class_id } of left) {
    const group = await tx
      .selectFrom('groups')
      .where('class_id', '=', class_id)
      .where('type', '=', placesOf[to][0])
      .select('id')
      .executeTakeFirstOrThrow()
    await insertGroupMember(tx, { group_id: group.id, user_id: user, created_at: clock.now() })
    await tx.deleteFrom('group_members').where('group_id', '=', id).where('user_id', '=', user).execute()
  }
}

/**
 * Gives the classes that somebody owns or teaches to who else teaches there, the longest first.
 * @param heir who gets those that nobody else teaches, and teaches them from now on
 */
export async function passClassesOn(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  user: string,
  heir: () => Promise<string>,
): Promise<void> {
  for (const { id, owner_id, group_id } of await listTaught(tx, user)) {
    const teacher = (await findOtherMember(tx, group_id, user)) ?? (await heir())
    await insertGroupMember(tx, { group_id, user_id: teacher, created_at: clock.now() })
    if (owner_id === user) await tx.updateTable('classes').set({ owner_id: teacher }).where('id', '=', id).execute()
  }
}

/** The classes that somebody owns or teaches, each with the group of its teachers. */
function listTaught(queries: Queries, user: string) {
  const taught = queries
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .where('group_members.user_id', '=', user)
    .where('groups.type', '=', 'classTeachers')
    .select((eb) => eb.ref('groups.class_id').$notNull().as('id'))
  const owned = queries.selectFrom('classes').where('owner_id', '=', user).select('id')
  return queries
    .selectFrom('classes')
    .innerJoin('groups as teachers', 'teachers.class_id', 'classes.id')
    .where('teachers.type', '=', 'classTeachers')
    .where('classes.id', 'in', taught.union(owned))
    .select(['classes.id', 'classes.owner_id', 'teachers.id as group_id'])
    .execute()
}

/** The same, of one class that others teach as well. */
export async function passClassOn(tx: Transaction, klass: string, user: string): Promise<void> {
  const taught = (await listTaught(tx, user)).find(({ id }) => id === klass)
  const teacher = taught && (await findOtherMember(tx, taught.group_id, user))
  if (teacher) await tx.updateTable('classes').set({ owner_id: teacher }).where('id', '=', klass).execute()
}

/** Whether somebody learns in a class, not an archived one, that the other teaches. */
export async function isTaughtBy(queries: Queries, student: string, teacher: string): Promise<boolean> {
  const shared = await queries
    .selectFrom('group_members as learning')
    .innerJoin('groups as students', 'students.id', 'learning.group_id')
    .innerJoin('classes', 'classes.id', 'students.class_id')
    .innerJoin('groups as teachers', 'teachers.class_id', 'classes.id')
    .innerJoin('group_members as teaching', 'teaching.group_id', 'teachers.id')
    .where('learning.user_id', '=', student)
    .where('students.type', '=', 'classStudents')
    .where('classes.state', '!=', 'archived')
    .where('teachers.type', '=', 'classTeachers')
    .where('teaching.user_id', '=', teacher)
    .select('classes.id')
    .limit(1)
    .executeTakeFirst()
  return shared !== undefined
}
