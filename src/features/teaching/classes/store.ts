import { type Expression, sql } from 'kysely'
import type { GroupType } from '../../../contract/sharing.ts'
import type { ClassRole } from '../../../contract/users.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ClassesTable, GroupsTable, Placement } from '../../../platform/db/tables.ts'
import { limitedStates, type State } from './lifecycle.ts'

/** A class with its two automatic groups, which hold its teachers and its students. */
export type ClassRow = ClassesTable & {
  teachers_group_id: string
  students_group_id: string
  /** The role of the viewer in the class; null for a user who is not a member. */
  viewer_role: ClassRole | null
}

/** The tag of a group of test students. As the name of a new group, it asks for such a group. */
export const testStudentsTag = 'edu:testing-students'
/** The tags of the group that holds the test students of a class. */
export const testStudentsTags = JSON.stringify([testStudentsTag])

/** The role of a user in the class of the outer query; null for a user who is not a member. */
export function roleInClass(user: Expression<string>) {
  const isIn = (type: 'classTeachers' | 'classStudents') => sql`exists (
    select 1 from group_members inner join groups on groups.id = group_members.group_id
      where group_members.user_id = ${user} and groups.class_id = classes.id and groups.type = ${sql.lit(type)})`
  return sql<ClassRole | null>`case when ${isIn('classTeachers')} then 'teacher'
    when ${isIn('classStudents')} then 'student' end`
}

/** Selects the automatic groups of classes: `teachers` and `students`. */
export const selectClassGroups = (db: Pick<Queries, 'selectFrom'>) =>
  db
    .selectFrom('classes')
    .innerJoin('groups as teachers', (join) =>
      join.onRef('teachers.class_id', '=', 'classes.id').on('teachers.type', '=', 'classTeachers'),
    )
    .innerJoin('groups as students', (join) =>
      join.onRef('students.class_id', '=', 'classes.id').on('students.type', '=', 'classStudents'),
    )
    .select(['teachers.id as teachers_group_id', 'students.id as students_group_id'])

function selectClasses(db: Pick<Queries, 'selectFrom'>, viewer: ReturnType<Params<{ viewer: string }>>) {
  return selectClassGroups(db)
    .selectAll('classes')
    .select((eb) => {
      const isIn = (group: 'teachers.id' | 'students.id') =>
        eb.exists(
          eb
            .selectFrom('group_members')
            .whereRef('group_members.group_id', '=', group)
            .where('group_members.user_id', '=', viewer)
            .select('group_members.user_id'),
        )
      return eb
        .case()
        .when(isIn('teachers.id'))
        .then<ClassRole>('teacher')
        .when(isIn('students.id'))
        .then<ClassRole>('student')
        .end()
        .as('viewer_role')
    })
}

const classById = compiled((db, p: Params<{ id: string; viewer: string }>) =>
  selectClasses(db, p('viewer')).where('classes.id', '=', p('id')),
)

export async function findClass(
  queries: Queries,
  by: { id: string; viewer: string },
): Promise<ClassRow | undefined> {
  const [row] = await classById(queries, by)
  return row
}

const classByCode = compiled((db, p: Params<{ code: string; viewer: string; organization: string }>) =>
  selectClasses(db, p('viewer'))
    .where('classes.enrollment_code', '=', p('code'))
    .where('classes.organization_id', '=', p('organization')),
)

/** Finds the class of an organization with this enrollment code. */
export async function findClassByCode(
  queries: Queries,
  by: { code: string; viewer: string; organization: string },
): Promise<ClassRow | undefined> {
  const [row] = await classByCode(queries, by)
  return row
}

const classesOf = compiled((db, p: Params<{ viewer: string; state: string }>) =>
  selectClasses(db, p('viewer'))
    .where((eb) =>
      eb(
        'classes.id',
        'in',
        eb
          .selectFrom('group_members')
          .innerJoin('groups', 'groups.id', 'group_members.group_id')
          .where('group_members.user_id', '=', p('viewer'))
          .where('groups.type', 'in', ['classTeachers', 'classStudents'])
          .select((of) => of.ref('groups.class_id').$notNull().as('class_id')),
      ),
    )
    .where('classes.state', '=', p('state') as never)
    .orderBy('classes.id', 'desc'),
)

/** Returns the classes of the viewer in this state, newest first. */
export async function listClassesOf(queries: Queries, viewer: string, state: State): Promise<ClassRow[]> {
  return classesOf(queries, { viewer, state })
}

export const insertClass = insertion('classes')

/** Undefined columns stay unchanged. */
export type ClassChange = {
  [Column in 'name' | 'section' | 'description' | 'theme' | 'level' | 'skills_focused' | 'size']:
    | ClassesTable[Column]
    | undefined
}

export async function updateClass(
  tx: Transaction,
  id: string,
  change: ClassChange,
  now: number,
): Promise<void> {
  await tx
    .updateTable('classes')
    .set({ ...change, modified_at: now })
    .where('id', '=', id)
    .execute()
}

/** Changes the state of a class. Returns false when it is no longer in the state that the caller read. */
export async function updateClassState(
  tx: Transaction,
  id: string,
  change: { from: State; to: State; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('classes')
    .set({ state: change.to, modified_at: change.now })
    .where('id', '=', id)
    .where('state', '=', change.from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the number of classes that count toward the organization's limit. */
export async function countClasses(queries: Queries, organization: string): Promise<number> {
  const { count } = await queries
    .selectFrom('classes')
    .where('organization_id', '=', organization)
    .where('state', 'in', limitedStates)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function hasEnrollmentCode(queries: Queries, code: string): Promise<boolean> {
  const row = await queries
    .selectFrom('classes')
    .select('id')
    .where('enrollment_code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}

/** Renames the automatic groups of a class, which have the name of the class. */
export async function updateClassGroupNames(
  tx: Transaction,
  id: string,
  name: Pick<GroupsTable, 'name' | 'name_key'>,
): Promise<void> {
  await tx
    .updateTable('groups')
    .set(name)
    .where('class_id', '=', id)
    .where('type', 'in', ['classTeachers', 'classStudents'])
    .execute()
}

/** Removes a user from all groups of a class. */
export async function deleteClassMember(tx: Transaction, id: string, user: string): Promise<void> {
  await tx
    .deleteFrom('group_members')
    .where('user_id', '=', user)
    .where('group_id', 'in', (eb) => eb.selectFrom('groups').select('id').where('class_id', '=', id))
    .execute()
}

/** Whether a class has a teacher besides this one. */
export async function hasOtherTeacher(
  queries: Queries,
  schoolClass: ClassRow,
  teacher: string,
): Promise<boolean> {
  const other = await queries
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where('group_members.group_id', '=', schoolClass.teachers_group_id)
    .where('group_members.user_id', '!=', teacher)
    .where('users.deletion_at', 'is', null)
    .select('users.id')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Returns the id of the test student of a class. */
export async function findTestStudent(queries: Queries, schoolClass: ClassRow): Promise<string | undefined> {
  const student = await queries
    .selectFrom('group_members')
    .innerJoin('users', 'users.id', 'group_members.user_id')
    .where('group_members.group_id', '=', schoolClass.students_group_id)
    .where('users.is_test_student', '=', 1)
    .where('users.deletion_at', 'is', null)
    .select('users.id')
    .executeTakeFirst()
  return student?.id
}

/** Returns the id of the group of a class's test students: the automatic one, or a subgroup of a teacher. */
export async function findTestStudentsGroup(queries: Queries, id: string): Promise<string | undefined> {
  const group = await queries
    .selectFrom('groups')
    .where('class_id', '=', id)
    .where('type', 'in', ['generic', 'classStudentsSubGroup'])
    .where('tags', '=', testStudentsTags)
    .orderBy('type', 'desc')
    .select('id')
    .executeTakeFirst()
  return group?.id
}

/** A group of a class that a user is in. */
export interface ClassGroup {
  id: string
  class_id: string
  /** Who placed the user in the class. Null for a subgroup. */
  placement: Placement | null
}

/** Returns the groups of these types that a user is in, with their classes. */
export async function listClassGroupsOf(
  queries: Queries,
  user: string,
  types: readonly GroupType[],
): Promise<ClassGroup[]> {
  return queries
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .where('group_members.user_id', '=', user)
    .where('groups.class_id', 'is not', null)
    .where('groups.type', 'in', types)
    .select((eb) => ['groups.id', eb.ref('groups.class_id').$notNull().as('class_id'), 'placement'])
    .execute()
}

/** Returns the classes that a user teaches or learns in and that are not archived, by name, with who placed the user there. */
export async function listPlacementsOf(
  queries: Queries,
  user: string,
): Promise<{ id: string; name: string; type: GroupType; placement: Placement | null }[]> {
  return queries
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .innerJoin('classes', 'classes.id', 'groups.class_id')
    .where('group_members.user_id', '=', user)
    .where('groups.type', 'in', ['classTeachers', 'classStudents'])
    .where('classes.state', '!=', 'archived')
    .select(['classes.id', 'classes.name', 'groups.type', 'group_members.placement'])
    .orderBy('classes.name')
    .orderBy('classes.id')
    .execute()
}

/** Returns the automatic group of this type of a class. */
export async function loadGroupOf(
  queries: Queries,
  classId: string,
  type: 'classTeachers' | 'classStudents',
): Promise<string> {
  const group = await queries
    .selectFrom('groups')
    .where('class_id', '=', classId)
    .where('type', '=', type)
    .select('id')
    .executeTakeFirstOrThrow()
  return group.id
}

export async function updateOwner(tx: Transaction, id: string, owner_id: string): Promise<void> {
  await tx.updateTable('classes').set({ owner_id }).where('id', '=', id).execute()
}

/** Returns the classes that a user owns or teaches, each with the group of its teachers. */
export function listTaught(queries: Queries, user: string) {
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
    .select(['classes.id', 'classes.owner_id', 'classes.organization_id', 'teachers.id as group_id'])
    .execute()
}

/**
 * Returns who placed a student, and who placed the teacher, in each class of both that is not archived. Empty if the teacher
 * does not teach the student.
 */
export async function listSharedPlacements(
  queries: Queries,
  student: string,
  teacher: string,
): Promise<{ student: Placement | null; teacher: Placement | null }[]> {
  return queries
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
    .select(['learning.placement as student', 'teaching.placement as teacher'])
    .execute()
}
