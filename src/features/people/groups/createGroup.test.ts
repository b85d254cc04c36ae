import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('createGroup', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  const creation = (properties: object = {}) => ({
    type: 'classStudentsSubGroup',
    classroom: schoolClass.id,
    ...properties,
  })

  it('creates a subgroup of the students, and ignores duplicate members', async () => {
    const { sam, sol } = people
    const members = [sam.id, sol.id, sam.id]
    const { status, body } = await people.tess.post('/groups', creation({ name: 'Strings', members }))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Strings',
      type: 'classStudentsSubGroup',
      organization: people.id,
      classroom: schoolClass.id,
      parent: schoolClass.studentsGroup,
      creationDate: expect.any(String),
      usersCount: 2,
      readOnly: false,
      tags: [],
    })
    expect((await people.sam.get(`/groups/${body.id}`)).body).toEqual(body)
  })

  it('gives a group without a name the next free number', async () => {
    const other = await newClass(app, people.id, { teachers: [people.tess] })
    const create = (name?: string) => people.tess.post('/groups', creation({ classroom: other.id, name }))
    const names = []
    for (const name of [undefined, 'group 3', undefined]) names.push((await create(name)).body.name)
    expect(names).toEqual(['Group 1', 'group 3', 'Group 4'])
  })

  it('refuses a name that another group of the class has, regardless of case and accents', async () => {
    expect((await people.tess.post('/groups', creation({ name: 'Brass' }))).status).toBe(200)
    const { status, body } = await people.ada.post('/groups', creation({ name: ' BRÄSS ' }))
    expect([status, body.code, body.param]).toEqual([409, 'GROUP_NAME_TAKEN', 'name'])
    const other = await newClass(app, people.id, { teachers: [people.tess] })
    expect((await people.tess.post('/groups', creation({ classroom: other.id, name: 'Brass' }))).status).toBe(
      200,
    )
  })

  it('gives a name to one of two simultaneous requests', async () => {
    const both = await Promise.all(
      [1, 2].map(() => people.tess.post('/groups', creation({ name: 'Percussion' }))),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('creates the group of the test students under its special name, in the language of the request', async () => {
    const other = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
    const special = creation({ classroom: other.id, name: 'edu:testing-students' })
    const { body } = await people.tess.post('/groups', special, { headers: { 'X-Flat-Locale': 'fr-CA' } })
    expect(body).toMatchObject({
      name: 'Élèves de test',
      type: 'classStudentsSubGroup',
      tags: ['edu:testing-students'],
      usersCount: 0,
      readOnly: false,
    })
    const again = await people.tess.post('/groups', special)
    expect([again.status, again.body.code]).toEqual([409, 'GROUP_NAME_TAKEN'])
    const student = (await people.tess.post(`/classes/${other.id}/testStudent`)).body
    expect(student.groups.sort()).toEqual([other.studentsGroup, body.id].sort())
  })

  it('accepts only students of the class, and creates nothing otherwise', async () => {
    for (const stranger of [people.tess, people.tara, people.abel, people.otto]) {
      const members = [people.sam.id, stranger.id]
      const { status, body } = await people.tess.post('/groups', creation({ name: 'Mixed', members }))
      expect([status, body.code, body.param]).toEqual([400, 'NOT_A_STUDENT', 'members'])
    }
    expect((await people.tess.post('/groups', creation({ name: 'Mixed' }))).status).toBe(200)
  })

  it('is available to those who manage the class', async () => {
    const create = async (person: School['tess']) => (await person.post('/groups', creation())).body.code
    expect(await create(people.sam)).toBe('CLASS_ACCESS_DENIED')
    expect(await create(people.tara)).toBe('CLASS_NOT_FOUND')
    expect(await create(people.abel)).toBe('CLASS_NOT_FOUND')
    expect(await create(people.otto)).toBe('ORGANIZATION_ACCESS_DENIED')
  })

  it('refuses other types of groups, an empty name, and an archived class', async () => {
    expect((await people.tess.post('/groups', creation({ type: 'generic' }))).body.param).toBe('type')
    expect((await people.tess.post('/groups', creation({ name: ' ' }))).body.param).toBe('name')
    const old = await newClass(app, people.id, { teachers: [people.tess] })
    await setClassState(app, old, 'archived')
    const { status, body } = await people.tess.post('/groups', creation({ classroom: old.id }))
    expect([status, body.code]).toEqual([409, 'CLASS_ARCHIVED'])
  })
})
