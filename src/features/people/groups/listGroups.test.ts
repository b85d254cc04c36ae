import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

describeApp('listGroups', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, sam, sol } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam, sol] })
    await newSubGroup(tess, schoolClass, 'Violins', sam)
    await newSubGroup(tess, schoolClass, 'alto', sam, sol)
  })

  const address = (classroom: string) => `/groups?type=classStudentsSubGroup&classroom=${classroom}`
  const names = (groups: { name: string }[]) => groups.map(({ name }) => name)

  it('shows all subgroups of a class by name to those who manage it', async () => {
    for (const person of [people.tess, people.ada]) {
      const { status, body } = await person.get(address(schoolClass.id))
      expect([status, names(body)]).toEqual([200, ['alto', 'Violins']])
    }
  })

  it('shows students the groups that they are in', async () => {
    expect(names((await people.sam.get(address(schoolClass.id))).body)).toEqual(['alto', 'Violins'])
    expect(names((await people.sol.get(address(schoolClass.id))).body)).toEqual(['alto'])
  })

  it('refuses members of other classes, and users without an organization', async () => {
    for (const person of [people.tara, people.abel]) {
      const { status, body } = await person.get(address(schoolClass.id))
      expect([status, body.code, body.param]).toEqual([404, 'CLASS_NOT_FOUND', 'classroom'])
    }
    expect((await people.otto.get(address(schoolClass.id))).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
  })

  it('lists the groups of an archived class', async () => {
    const old = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
    await newSubGroup(people.tess, old, 'Choir', people.sam)
    await setClassState(app, old, 'archived')
    expect(names((await people.sam.get(address(old.id))).body)).toEqual(['Choir'])
  })

  it('requires the type, and the id of the class or assignment', async () => {
    const refusals = [
      '',
      '?type=generic',
      '?type=classStudentsSubGroup',
      '?type=assignmentStudentsSubGroup',
    ].map(async (query) => (await people.tess.get(`/groups${query}`)).body.param)
    expect(await Promise.all(refusals)).toEqual(['type', 'type', 'classroom', 'assignment'])
  })

  it('lists the groups that an assignment names', async () => {
    const groups = (await people.tess.get(address(schoolClass.id))).body as { id: string; name: string }[]
    const { id } = await newAssignment(people.tess, schoolClass, {
      classGroupIds: groups.map((group) => group.id),
    })
    const ofAssignment = `/groups?type=assignmentStudentsSubGroup&assignment=${id}`
    const { body } = await people.tess.get(ofAssignment)
    expect([names(body), body[0]]).toMatchObject([
      ['alto', 'Violins'],
      { classroom: schoolClass.id, assignment: id },
    ])
    expect(names((await people.sol.get(ofAssignment)).body)).toEqual(['alto'])
    const hidden = await people.tara.get(ofAssignment)
    expect([hidden.status, hidden.body.code, hidden.body.param]).toEqual([
      404,
      'ASSIGNMENT_NOT_FOUND',
      'assignment',
    ])
  })

  it('returns 404 for a missing assignment', async () => {
    const { status, body } = await people.tess.get(
      `/groups?type=assignmentStudentsSubGroup&assignment=${schoolClass.id}`,
    )
    expect([status, body.code, body.param]).toEqual([404, 'ASSIGNMENT_NOT_FOUND', 'assignment'])
  })
})
