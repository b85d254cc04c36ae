import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('listGroupUsers', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, theo, sam, sol } = people
    const zoe = await app.person('zoe', { organization: id, firstname: 'Zoe', lastname: 'Abel' })
    schoolClass = await newClass(app, id, { teachers: [theo, tess], students: [zoe, sol, sam] })
  })

  const usernames = (users: { username: string }[]) => users.map(({ username }) => username)

  it('lists the members by name, with their roles in the class', async () => {
    const students = await people.tess.get(`/groups/${schoolClass.studentsGroup}/users`)
    expect(students.status).toBe(200)
    expect(usernames(students.body)).toEqual(['zoe', 'sam', 'sol'])
    expect(students.body[0]).toMatchObject({
      name: 'Zoe Abel',
      organizationRole: 'user',
      classRole: 'student',
    })
    const teachers = await people.sam.get(`/groups/${schoolClass.teachersGroup}/users`)
    expect(usernames(teachers.body)).toEqual(['tess', 'theo'])
    expect(teachers.body[0]).toMatchObject({
      id: people.tess.id,
      organizationRole: 'teacher',
      classRole: 'teacher',
    })
  })

  it('is available to those who may see the group', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Violins', people.sam)
    expect(usernames((await people.sam.get(`/groups/${group}/users`)).body)).toEqual(['sam'])
    for (const person of [people.sol, people.tara, people.abel, people.otto]) {
      expect((await person.get(`/groups/${group}/users`)).body.code).toBe('GROUP_NOT_FOUND')
    }
  })

  it('is empty for users from another service', async () => {
    const { status, body } = await people.tess.get(
      `/groups/${schoolClass.studentsGroup}/users?source=googleClassroom`,
    )
    expect([status, body]).toEqual([200, []])
    const unknown = await people.tess.get(`/groups/${schoolClass.studentsGroup}/users?source=elsewhere`)
    expect([unknown.status, unknown.body.param]).toEqual([400, 'source'])
  })
})
