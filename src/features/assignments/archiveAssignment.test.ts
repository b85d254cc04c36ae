import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../test/support/app.ts'
import { newAssignment } from '../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../test/support/school.ts'
import { emptyPiano } from '../../../test/support/scores.ts'

describeApp('archiveAssignment', (app) => {
  let people: School
  let klass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    klass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
  })

  it('leaves an assignment to be read, and its scores with it', async () => {
    const score = (await people.tess.post('/scores', emptyPiano())).body.id
    const { id } = await newAssignment(people.tess, klass, { attachments: [{ score, sharingMode: 'write' }] })
    const path = `/classes/${klass.id}/assignments/${id}`
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
    expect((await people.sam.get(`/scores/${score}`)).body.rights).toMatchObject({ aclRead: true, aclWrite: false })
    expect((await people.tess.post(`${path}/archive`)).status).toBe(200)
  })

  it('takes drafts from students as before', async () => {
    const { id } = await newAssignment(people.tess, klass, { state: 'draft' })
    expect((await people.sam.post(`/classes/${klass.id}/assignments/${id}/archive`)).status).toBe(404)
    const published = await newAssignment(people.tess, klass)
    const { status, body } = await people.sam.post(`/classes/${klass.id}/assignments/${published.id}/archive`)
    expect([status, body.code]).toEqual([403, 'ASSIGNMENT_ACCESS_DENIED'])
  })
})
