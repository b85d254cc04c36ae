import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeApp('unarchiveAssignment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, { teachers: [people.tess], students: [people.sam] })
  })

  it('activates the assignment and restores the access of students to its scores', async () => {
    const score = (await people.tess.post('/scores', emptyPiano())).body.id
    const { id } = await newAssignment(people.tess, schoolClass, {
      state: 'draft',
      attachments: [{ score, sharingMode: 'write' }],
    })
    const path = `/classes/${schoolClass.id}/assignments/${id}`
    await people.tess.post(`${path}/archive`)
    const { status, body } = await people.tess.delete(`${path}/archive`)
    expect([status, body.capabilities.canEdit, body.capabilities.canArchive]).toEqual([200, true, true])
    expect((await people.sam.get(path)).body.state).toBe('active')
    expect((await people.sam.get(`/scores/${score}`)).body.rights.aclWrite).toBe(true)
  })

  it('returns 409 for an assignment that is not archived; one of several concurrent requests succeeds', async () => {
    const { id } = await newAssignment(people.tess, schoolClass)
    const path = `/classes/${schoolClass.id}/assignments/${id}/archive`
    const { status, body } = await people.tess.delete(path)
    expect([status, body.code]).toEqual([409, 'ASSIGNMENT_STATE_CONFLICT'])
    await people.tess.post(path)
    const replies = await Promise.all([1, 2, 3].map(() => people.tess.delete(path)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409])
  })
})
