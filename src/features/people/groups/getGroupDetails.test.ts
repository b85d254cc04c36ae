import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { newGroup } from '../../../../test/support/sharing.ts'

describeApp('getGroupDetails', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  it('shows the automatic groups to all members of the class, as read-only', async () => {
    const { tess, sam, ada } = people
    for (const person of [tess, sam, ada]) {
      const teachers = await person.get(`/groups/${schoolClass.teachersGroup}`)
      expect(teachers.body).toMatchObject({
        type: 'classTeachers',
        classroom: schoolClass.id,
        usersCount: 1,
        readOnly: true,
      })
      const students = await person.get(`/groups/${schoolClass.studentsGroup}`)
      expect(students.body).toMatchObject({ type: 'classStudents', usersCount: 2, readOnly: true })
      expect(students.body.parent).toBeUndefined()
    }
  })

  it('shows a subgroup to its members, and to those who manage the class', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Violins', people.sam)
    const statuses = [
      people.tess,
      people.ada,
      people.sam,
      people.sol,
      people.tara,
      people.abel,
      people.otto,
    ].map(async (person) => (await person.get(`/groups/${group}`)).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 404, 404, 404, 404])
  })

  it('hides the groups of an inactive class from students', async () => {
    const { id, tess, sam } = people
    const next = await newClass(app, id, { teachers: [tess], students: [sam], state: 'inactive' })
    for (const group of [
      next.studentsGroup,
      next.teachersGroup,
      await newSubGroup(tess, next, 'Violins', sam),
    ]) {
      const statuses = [tess, sam].map(async (person) => (await person.get(`/groups/${group}`)).status)
      expect(await Promise.all(statuses)).toEqual([200, 404])
    }
    await setClassState(app, next, 'archived')
    expect((await sam.get(`/groups/${next.studentsGroup}`)).status).toBe(200)
  })

  it('shows a group without a class to its members and to the staff of the organization', async () => {
    const group = await newGroup(app, people.id, 'Orchestra', people.sam)
    const statuses = [people.sam, people.tara, people.sol].map(
      async (person) => (await person.get(`/groups/${group}`)).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 404])
  })

  it('does not count removed members of the organization', async () => {
    const removed = await app.person('gone', { organization: people.id })
    const group = await newClass(app, people.id, { teachers: [people.tess], students: [removed, people.sam] })
    await app.ctx.transaction((tx) =>
      tx
        .updateTable('users')
        .set({ deletion_at: app.ctx.clock.now() })
        .where('id', '=', removed.id)
        .execute(),
    )
    expect((await people.tess.get(`/groups/${group.studentsGroup}`)).body.usersCount).toBe(1)
    const users = await people.tess.get(`/groups/${group.studentsGroup}/users`)
    expect(users.body.map(({ id }: { id: string }) => id)).toEqual([people.sam.id])
  })
})
