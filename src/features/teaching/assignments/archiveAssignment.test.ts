import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('archiveAssignment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
  })

  it('keeps an assignment and its scores readable', async () => {
    const score = (await people.tess.post('/scores', emptyPiano())).body.id
    const { id } = await newAssignment(people.tess, schoolClass, {
      attachments: [{ score, sharingMode: 'write' }],
    })
    const path = `/classes/${schoolClass.id}/assignments/${id}`
    const { status, body } = await people.tess.post(`${path}/archive`)
    expect([status, body.capabilities]).toEqual([
      200,
      {
        canEdit: false,
        canPublishInClass: false,
        canPublishInClassError: { code: 'ASSIGNMENT_ARCHIVED', message: expect.any(String) },
        canArchive: false,
        canUnarchive: true,
      },
    ])
    expect((await people.sam.get(path)).body.state).toBe('archived')
    expect((await people.sam.get(`/scores/${score}`)).body.rights).toMatchObject({
      aclRead: true,
      aclWrite: false,
    })
    expect((await people.tess.post(`${path}/archive`)).status).toBe(200)
  })

  it.each([
    ['a draft', { state: 'draft' }],
    ['a scheduled assignment', { scheduledDate: '2999-01-01T00:00:00Z' }],
  ])('keeps %s hidden from students', async (_, properties) => {
    const { tess, sam } = people
    const score = (await tess.post('/scores', emptyPiano('Key'))).body.id
    const { id } = await newAssignment(tess, schoolClass, { ...properties, attachments: [{ score }] })
    const path = `/classes/${schoolClass.id}/assignments/${id}`
    const assignmentsCount = async () => (await sam.get(`/classes/${schoolClass.id}`)).body.assignmentsCount
    const before = await assignmentsCount()
    for (const _again of [1, 2]) expect((await tess.post(`${path}/archive`)).status).toBe(200)
    expect((await sam.get(path)).body.code).toBe('ASSIGNMENT_NOT_FOUND')
    const listed: { id: string }[] = (await sam.get(`/classes/${schoolClass.id}/assignments`)).body
    expect(listed.map((one) => one.id)).not.toContain(id)
    expect(await assignmentsCount()).toBe(before)
    expect((await sam.get(`/scores/${score}`)).status).toBe(404)
    expect((await tess.get(path)).body.state).toBe('archived')
  })

  it('keeps drafts hidden from students', async () => {
    const { id } = await newAssignment(people.tess, schoolClass, { state: 'draft' })
    expect((await people.sam.post(`/classes/${schoolClass.id}/assignments/${id}/archive`)).status).toBe(404)
    const published = await newAssignment(people.tess, schoolClass)
    const { status, body } = await people.sam.post(
      `/classes/${schoolClass.id}/assignments/${published.id}/archive`,
    )
    expect([status, body.code]).toEqual([403, 'ASSIGNMENT_ACCESS_DENIED'])
  })
})
