import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('removeGroupUser', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  it('removes a student from the group, but not from the class', async () => {
    const { tess, sam } = people
    const group = await newSubGroup(tess, schoolClass, 'Violins', sam)
    expect((await tess.delete(`/groups/${group}/users/${sam.id}`)).status).toBe(204)
    expect((await sam.get(`/groups/${group}`)).status).toBe(404)
    expect((await sam.get(`/groups/${schoolClass.studentsGroup}`)).body.usersCount).toBe(2)
  })

  it('returns 404 for a user who is not a member', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Violas', people.sam)
    for (const { id } of [people.sol, people.abel, people.tess]) {
      const { status, body } = await people.tess.delete(`/groups/${group}/users/${id}`)
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
    }
  })

  it('is available to those who manage the class, and only for subgroups', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Harps', people.sam)
    const remove = async (person: School['tess'], from = group) =>
      (await person.delete(`/groups/${from}/users/${people.sam.id}`)).body?.code
    expect(await remove(people.sam)).toBe('GROUP_ACCESS_DENIED')
    for (const person of [people.sol, people.tara, people.abel])
      expect(await remove(person)).toBe('GROUP_NOT_FOUND')
    expect(await remove(people.tess, schoolClass.studentsGroup)).toBe('GROUP_READ_ONLY')
    expect(await remove(people.ada)).toBeUndefined()
  })

  it('refuses a group of an archived class', async () => {
    const old = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
    const choir = await newSubGroup(people.tess, old, 'Choir', people.sam)
    await setClassState(app, old, 'archived')
    const { status, body } = await people.tess.delete(`/groups/${choir}/users/${people.sam.id}`)
    expect([status, body.code]).toEqual([409, 'CLASS_ARCHIVED'])
  })
})
