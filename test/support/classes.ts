import type { GroupType } from '../../src/contract/sharing.ts'
import type { State } from '../../src/features/teaching/classes/lifecycle.ts'
import { insertClass } from '../../src/features/teaching/classes/store.ts'
import { insertGroup, insertGroupMember } from '../../src/features/people/groups/store.ts'
import type { Placement } from '../../src/platform/db/tables.ts'
import { sortKey } from '../../src/lib/sort-key.ts'
import type { Person, TestApp } from './app.ts'
import { makeSchool, type School } from './school.ts'

/** A class in the database, in any state. */
export interface TestClass {
  id: string
  teachersGroup: string
  studentsGroup: string
}

/** Inserts a class of an organization with these members. An administrator has placed them. The first teacher owns the class. */
export async function newClass(
  { ctx }: TestApp,
  organization: string,
  { teachers, students = [], state = 'active' }: { teachers: Person[]; students?: Person[]; state?: State },
): Promise<TestClass> {
  const [id, teachersGroup, studentsGroup] = [ctx.newId(), ctx.newId(), ctx.newId()]
  const now = ctx.clock.now()
  await ctx.transaction(async (tx) => {
    await insertClass(tx, {
      id,
      organization_id: organization,
      owner_id: teachers[0]?.id ?? '',
      state,
      name: 'Class',
      section: null,
      description: null,
      theme: null,
      level: null,
      skills_focused: null,
      size: null,
      enrollment_code: id,
      external_id: null,
      created_at: now,
      modified_at: now,
    })
    async function addGroup(group: string, type: GroupType, members: Person[]) {
      await insertGroup(tx, {
        id: group,
        organization_id: organization,
        type,
        name: type,
        name_key: sortKey(type),
        class_id: id,
        parent_id: null,
        tags: '[]',
        created_at: now,
      })
      for (const { id: user_id } of members)
        await insertGroupMember(tx, { group_id: group, user_id, created_at: now, placement: 'administrator' })
    }
    await addGroup(teachersGroup, 'classTeachers', teachers)
    await addGroup(studentsGroup, 'classStudents', students)
  })
  return { id, teachersGroup, studentsGroup }
}

/** Sends the request of a teacher to create a subgroup of the students of a class. Returns the id of the subgroup. */
export async function newSubGroup(
  teacher: Person,
  { id }: TestClass,
  name: string,
  ...members: Person[]
): Promise<string> {
  const body = {
    type: 'classStudentsSubGroup',
    classroom: id,
    name,
    members: members.map((member) => member.id),
  }
  return (await teacher.post('/groups', body)).body.id
}

/** Writes the state of a class to the database, without the effects of an operation such as `archiveClass`. */
export async function setClassState({ ctx }: TestApp, { id }: TestClass, state: State): Promise<void> {
  await ctx.transaction((tx) => tx.updateTable('classes').set({ state }).where('id', '=', id).execute())
}

/** Creates the users of `makeSchool`, and a class with the teachers Tess and Theo and the students Sam and Sol. */
export async function makeSchoolWithClass(app: TestApp): Promise<{ people: School; schoolClass: TestClass }> {
  const people = await makeSchool(app)
  const { id, tess, theo, sam, sol } = people
  return { people, schoolClass: await newClass(app, id, { teachers: [tess, theo], students: [sam, sol] }) }
}

/** Sets who placed a member in the teachers group or the students group of a class. */
export async function setPlacement(
  { ctx }: TestApp,
  group: string,
  { id }: { id: string },
  placement: Placement,
): Promise<void> {
  await ctx.transaction((tx) =>
    tx
      .updateTable('group_members')
      .set({ placement })
      .where('group_id', '=', group)
      .where('user_id', '=', id)
      .execute(),
  )
}
