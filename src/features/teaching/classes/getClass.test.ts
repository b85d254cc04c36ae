import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newClass, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

const missing = '0123456789abcdef01234567'

describeApp('getClass', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { id, tess, theo, sam } = people
    schoolClass = await newClass(app, id, { teachers: [tess, theo], students: [sam] })
  })

  it('shows a class to its members and to the administrators of its organization', async () => {
    for (const person of [people.tess, people.theo, people.sam, people.ada]) {
      const { status, body } = await person.get(`/classes/${schoolClass.id}`)
      expect([status, body.id]).toEqual([200, schoolClass.id])
      expect(body.teachersGroup).toMatchObject({ id: schoolClass.teachersGroup, usersCount: 2 })
      expect(body.studentsGroup).toMatchObject({ id: schoolClass.studentsGroup, usersCount: 1 })
    }
  })

  it('shows the enrollment code only to teachers and administrators', async () => {
    for (const person of [people.tess, people.theo, people.ada]) {
      expect((await person.get(`/classes/${schoolClass.id}`)).body.enrollmentCode).toEqual(expect.any(String))
    }
    expect((await people.sam.get(`/classes/${schoolClass.id}`)).body).not.toHaveProperty('enrollmentCode')
  })

  it('returns 404 to other members and schools, and 403 to a user without an organization', async () => {
    for (const person of [people.tara, people.sol, people.abel]) {
      const [foreign, none] = [
        await person.get(`/classes/${schoolClass.id}`),
        await person.get(`/classes/${missing}`),
      ]
      expect([foreign.status, foreign.body.code]).toEqual([404, 'CLASS_NOT_FOUND'])
      expect(foreign.body).toEqual(none.body)
    }
    expect((await people.otto.get(`/classes/${schoolClass.id}`)).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
  })

  it('shows an archived class to all members, and an inactive one only to its teachers', async () => {
    const { tess, sam } = people
    await setClassState(app, schoolClass, 'archived')
    expect((await sam.get(`/classes/${schoolClass.id}`)).body.state).toBe('archived')
    await setClassState(app, schoolClass, 'inactive')
    expect((await sam.get(`/classes/${schoolClass.id}`)).body.code).toBe('CLASS_NOT_FOUND')
    expect((await tess.get(`/classes/${schoolClass.id}`)).body.state).toBe('inactive')
    await setClassState(app, schoolClass, 'active')
    expect((await sam.get(`/classes/${schoolClass.id}`)).status).toBe(200)
  })
})
