import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('addGroupUser', (app) => {
  let people: School
  let schoolClass: TestClass
  let group: string

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    group = await newSubGroup(tess, schoolClass, 'Violins')
  })

  it('adds a student of the class once', async () => {
    for (const person of [people.tess, people.ada]) {
      const { status, body } = await person.post(`/groups/${group}/users`, { user: people.sam.id })
      expect([status, body]).toEqual([200, { user: people.sam.id }])
    }
    expect((await people.sam.get(`/groups/${group}`)).body.usersCount).toBe(1)
  })

  it('refuses a user who is not a student of the class', async () => {
    const add = async ({ id }: { id: string }) => {
      const { status, body } = await people.tess.post(`/groups/${group}/users`, { user: id })
      return [status, body.code, body.param]
    }
    for (const colleague of [people.tess, people.tara, people.otto]) {
      expect(await add(colleague)).toEqual([400, 'NOT_A_STUDENT', 'user'])
    }
    expect(await add(people.abel)).toEqual([404, 'USER_NOT_FOUND', 'user'])
    expect(await add({ id: schoolClass.id })).toEqual([404, 'USER_NOT_FOUND', 'user'])
    expect((await people.tess.post(`/groups/${group}/users`, {})).body.param).toBe('user')
  })

  it('is available to those who manage the class, and only for subgroups', async () => {
    const user = people.sol.id
    const add = async (person: School['tess'], to = group) =>
      (await person.post(`/groups/${to}/users`, { user })).body.code
    const ownGroup = await newSubGroup(people.tess, schoolClass, 'Harps', people.sam)
    expect(await add(people.sam, ownGroup)).toBe('GROUP_ACCESS_DENIED')
    for (const person of [people.sol, people.tara, people.abel])
      expect(await add(person)).toBe('GROUP_NOT_FOUND')
    expect(await add(people.tess, schoolClass.studentsGroup)).toBe('GROUP_READ_ONLY')
  })

  it('refuses a group of an archived class', async () => {
    const old = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
    const choir = await newSubGroup(people.tess, old, 'Choir')
    await setClassState(app, old, 'archived')
    const { status, body } = await people.tess.post(`/groups/${choir}/users`, { user: people.sam.id })
    expect([status, body.code]).toEqual([409, 'CLASS_ARCHIVED'])
  })

  it('adds the group to the ids in the profile of the member', async () => {
    await people.tess.post(`/groups/${group}/users`, { user: people.sam.id })
    expect((await people.sam.get('/me')).body.groups).toEqual(
      expect.arrayContaining([schoolClass.studentsGroup, group]),
    )
    const blind = await app.withScopes(people.sam, 'account.public_profile')
    expect((await blind.get('/me')).body.groups).toBeUndefined()
  })
})
