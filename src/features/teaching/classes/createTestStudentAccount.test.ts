import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { newClass, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { clientOf } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'
import { allScopes } from '../../../contract/scopes.ts'
import { createPersonalToken } from '../../../../test/support/personal-tokens.ts'

describeEachDatabase('createTestStudentAccount', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
  })
  beforeEach(async () => {
    const { id, tess, sam } = people
    schoolClass = await newClass(app, id, { teachers: [tess], students: [sam] })
  })

  const create = (person: Person, query = '') => person.post(`/classes/${schoolClass.id}/testStudent${query}`)
  const rowOf = (id: string) =>
    app.ctx.db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const studentsIn = async () =>
    (await people.tess.get(`/classes/${schoolClass.id}`)).body.studentsGroup.usersCount
  async function signInAs(id: string) {
    return clientOf(app.url, await createPersonalToken(app.ctx, id, 'Test', allScopes))
  }

  it('creates a student in the class and in the group of its test students', async () => {
    const { tess, id: organization } = people
    const { status, body } = await create(tess)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'user',
      product: 'flatEdu',
      printableName: 'Test Student',
      organization,
      organizationRole: 'user',
      isEmailVerified: false,
    })
    expect(await studentsIn()).toBe(2)
    expect(body.groups).toHaveLength(2)
    expect(body.groups).toContain(schoolClass.studentsGroup)
    const group = body.groups.find((id: string) => id !== schoolClass.studentsGroup)
    expect((await tess.get(`/groups/${group}`)).body).toMatchObject({
      classroom: schoolClass.id,
      tags: ['edu:testing-students'],
      readOnly: true,
      usersCount: 1,
    })
    expect(await rowOf(body.id)).toMatchObject({ is_test_student: 1, email: null, deletion_at: null })
    const student = await signInAs(body.id)
    expect((await student.get(`/classes/${schoolClass.id}`)).body).not.toHaveProperty('enrollmentCode')
    expect(await auditOf(app, body.id)).toEqual([
      { organization, actor: tess.id, action: 'user.created', details: { testStudentOf: schoolClass.id } },
    ])
  })

  it('returns the existing one on later requests, also to administrators', async () => {
    const first = await create(people.tess)
    for (const query of ['', '?reset=false'])
      expect((await create(people.ada, query)).body).toEqual(first.body)
    expect(await studentsIn()).toBe(2)
  })

  it('creates another one for another class', async () => {
    const first = await create(people.tess)
    schoolClass = await newClass(app, people.id, { teachers: [people.tess] })
    expect((await create(people.tess)).body.id).not.toBe(first.body.id)
  })

  it('creates a new one with `reset`, and revokes and deletes the previous one', async () => {
    const { tess, id: organization } = people
    const { body: before } = await create(tess)
    const student = await signInAs(before.id)
    expect((await student.get('/me')).status).toBe(200)
    const { status, body } = await create(tess, '?reset=true')
    expect(status).toBe(200)
    expect(body.id).not.toBe(before.id)
    expect(body.groups).toEqual(before.groups)
    expect(await studentsIn()).toBe(2)
    expect(await rowOf(before.id)).toMatchObject({ deletion_at: clock.now(), removed_by: tess.id })
    expect((await student.get('/me')).status).toBe(401)
    expect((await create(tess)).body.id).toBe(body.id)
    expect((await auditOf(app, before.id)).at(-1)).toEqual({
      organization,
      actor: tess.id,
      action: 'user.removed',
      details: {},
    })
  })

  it('creates one with `reset` if there was none', async () => {
    expect((await create(people.tess, '?reset=true')).status).toBe(200)
    expect(await studentsIn()).toBe(2)
  })

  it('creates one account for two concurrent requests on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const id = await app.organization()
      const vic = await app.person('vic', { organization: id, role: 'teacher' })
      const { body: schoolClass } = await vic.post('/classes', { name: 'Winds' })
      const path = `/classes/${schoolClass.id}/testStudent`
      const responses = await Promise.all([
        vic.post(path),
        there(vic).post(path),
        vic.post(path),
        there(vic).post(path),
      ])
      expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
      const reset = `${path}?reset=true`
      const again = await Promise.all([vic.post(reset), there(vic).post(reset)])
      expect(again.map(({ status }) => status)).toEqual([200, 200])
      const { body } = await vic.post(path)
      expect(again.map(({ body }) => body.id)).toContain(body.id)
      expect((await vic.get(`/classes/${schoolClass.id}`)).body.studentsGroup.usersCount).toBe(1)
    })
  })

  it('uses no seat of the organization', async () => {
    await limit(app, people.id, { max_seats: 1 })
    expect((await create(people.tess)).status).toBe(200)
    await limit(app, people.id, { max_seats: null })
  })

  it('refuses students and teachers of other classes', async () => {
    const { sam, tara, abel } = people
    expect((await create(sam)).body.code).toBe('CLASS_ACCESS_DENIED')
    for (const person of [tara, abel]) expect((await create(person)).body.code).toBe('CLASS_NOT_FOUND')
  })

  it('refuses an archived class', async () => {
    await create(people.tess)
    await setClassState(app, schoolClass, 'archived')
    for (const query of ['', '?reset=true'])
      expect((await create(people.tess, query)).body.code).toBe('CLASS_ARCHIVED')
  })

  it('does not let a test student join another class', async () => {
    const { tess } = people
    const { body } = await create(tess)
    const { body: other } = await tess.post('/classes', { name: 'Other' })
    const student = await signInAs(body.id)
    const reply = await student.post(`/classes/enroll/${other.enrollmentCode}`)
    expect([reply.status, reply.body.code]).toEqual([403, 'CLASS_ACCESS_DENIED'])
  })
})
