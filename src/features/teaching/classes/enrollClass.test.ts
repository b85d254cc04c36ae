import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { setClassState } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'

describeApp('enrollClass', (app, databases) => {
  let people: School

  beforeAll(async () => {
    people = await makeSchool(app)
  })

  async function newClass() {
    const { body } = await people.tess.post('/classes', { name: 'Winds' })
    return body
  }
  const enroll = (person: Person, code: string) => person.post(`/classes/enroll/${code}`)

  it('adds students as students and teachers as teachers', async () => {
    const { sam, theo } = people
    const schoolClass = await newClass()
    const ofSam = await enroll(sam, schoolClass.enrollmentCode)
    expect([ofSam.status, ofSam.body.id]).toEqual([200, schoolClass.id])
    expect(ofSam.body.studentsGroup.usersCount).toBe(1)
    expect(ofSam.body).not.toHaveProperty('enrollmentCode')
    const ofTheo = await enroll(theo, schoolClass.enrollmentCode)
    expect(ofTheo.body.teachersGroup.usersCount).toBe(2)
    expect(ofTheo.body.enrollmentCode).toBe(schoolClass.enrollmentCode)
    expect((await sam.get('/classes')).body.map(({ id }: { id: string }) => id)).toContain(schoolClass.id)
  })

  it('changes nothing for a user who is in the class already, even concurrently', async () => {
    const schoolClass = await newClass()
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => enroll(people.sam, schoolClass.enrollmentCode)),
    )
    for (const { status, body } of replies) expect([status, body.studentsGroup?.usersCount]).toEqual([200, 1])
    // A teacher of the class stays its teacher.
    const { body } = await enroll(people.tess, schoolClass.enrollmentCode)
    expect([body.teachersGroup.usersCount, body.studentsGroup.usersCount]).toEqual([1, 1])
  })

  it('accepts two concurrent users of one code on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const id = await app.organization()
      const vic = await app.person('vic', { organization: id, role: 'teacher' })
      const [una, ugo] = [
        await app.person('una', { organization: id }),
        await app.person('ugo', { organization: id }),
      ]
      const { body: schoolClass } = await vic.post('/classes', { name: 'Winds' })
      const path = `/classes/enroll/${schoolClass.enrollmentCode}`
      const replies = await Promise.all([
        una.post(path),
        there(ugo).post(path),
        there(una).post(path),
        ugo.post(path),
      ])
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect((await vic.get(`/classes/${schoolClass.id}`)).body.studentsGroup.usersCount).toBe(2)
    })
  })

  it('returns 404 for the code of another organization and for the id of a class', async () => {
    const { sam, abel } = people
    const schoolClass = await newClass()
    const none = await enroll(abel, 'aaaaaaaa')
    const foreign = await enroll(abel, schoolClass.enrollmentCode)
    expect([foreign.status, foreign.body.code]).toEqual([404, 'CLASS_NOT_FOUND'])
    expect(foreign.body).toEqual(none.body)
    expect((await enroll(sam, schoolClass.id)).status).toBe(404)
  })

  it('refuses individual accounts', async () => {
    const schoolClass = await newClass()
    const { status, body } = await enroll(people.otto, schoolClass.enrollmentCode)
    expect([status, body.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
  })

  it('refuses an archived class, and students of an inactive class', async () => {
    const { sam, theo } = people
    const schoolClass = await newClass()
    await setClassState(app, schoolClass, 'archived')
    const { status, body } = await enroll(sam, schoolClass.enrollmentCode)
    expect([status, body.code]).toEqual([409, 'CLASS_ARCHIVED'])
    await setClassState(app, schoolClass, 'inactive')
    expect((await enroll(sam, schoolClass.enrollmentCode)).body.code).toBe('CLASS_NOT_FOUND')
    expect((await enroll(theo, schoolClass.enrollmentCode)).status).toBe(200)
  })
})
