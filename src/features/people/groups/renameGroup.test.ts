import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('renameGroup', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
  })

  it('changes the name, or only its spelling', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Violins', people.sam)
    for (const name of ['violins', 'Violas']) {
      const { status, body } = await people.tess.put(`/groups/${group}`, { name })
      expect([status, body.name]).toEqual([200, name])
      expect((await people.tess.get(`/groups/${group}`)).body).toEqual(body)
    }
  })

  it('refuses the name of another group of the class', async () => {
    const [flutes, oboes] = await Promise.all(
      ['Flutes', 'Oboes'].map((name) => newSubGroup(people.tess, schoolClass, name)),
    )
    const { status, body } = await people.tess.put(`/groups/${oboes}`, { name: 'flutes' })
    expect([status, body.code, body.param]).toEqual([409, 'GROUP_NAME_TAKEN', 'name'])
    const both = await Promise.all(
      [flutes, oboes].map((group) => people.tess.put(`/groups/${group}`, { name: 'Winds' })),
    )
    expect(both.map((reply) => reply.status).sort()).toEqual([200, 409])
  })

  it('requires a name', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Horns')
    for (const body of [{}, { name: '' }, { name: 5 }]) {
      const reply = await people.tess.put(`/groups/${group}`, body)
      expect([reply.status, reply.body.param]).toEqual([400, 'name'])
    }
  })

  it('is available to those who manage the class', async () => {
    const group = await newSubGroup(people.tess, schoolClass, 'Harps', people.sam)
    const rename = async (person: School['tess']) =>
      (await person.put(`/groups/${group}`, { name: 'A' })).body.code
    expect(await rename(people.sam)).toBe('GROUP_ACCESS_DENIED')
    for (const person of [people.sol, people.tara, people.abel])
      expect(await rename(person)).toBe('GROUP_NOT_FOUND')
    expect((await people.ada.put(`/groups/${group}`, { name: 'Lutes' })).status).toBe(200)
  })

  it('refuses the automatic groups of a class, and groups of an archived class', async () => {
    for (const group of [schoolClass.teachersGroup, schoolClass.studentsGroup]) {
      const { status, body } = await people.tess.put(`/groups/${group}`, { name: 'Ours' })
      expect([status, body.code]).toEqual([403, 'GROUP_READ_ONLY'])
    }
    const old = await newClass(app, people.id, { teachers: [people.tess] })
    const group = await newSubGroup(people.tess, old, 'Choir')
    await setClassState(app, old, 'archived')
    const { status, body } = await people.tess.put(`/groups/${group}`, { name: 'Ours' })
    expect([status, body.code]).toEqual([409, 'CLASS_ARCHIVED'])
  })
})
