import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeApp('deleteAssignment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, {
      teachers: [people.tess],
      students: [people.sam, people.sol],
    })
  })

  it('deletes the assignment and its grants; scores stay accessible by other grants', async () => {
    const score = (await people.tess.post('/scores', emptyPiano())).body.id
    await give(app, { on: 'score', id: score }, { user: people.sol.id }, 'read')
    const { id } = await newAssignment(people.tess, schoolClass, {
      attachments: [{ score, sharingMode: 'write' }],
    })
    const path = `/classes/${schoolClass.id}/assignments/${id}`
    expect((await people.tess.delete(path)).status).toBe(204)
    expect((await people.tess.get(path)).body.code).toBe('ASSIGNMENT_NOT_FOUND')
    expect((await people.tess.delete(path)).status).toBe(404)
    expect((await people.sam.get(`/scores/${score}`)).status).toBe(404)
    expect((await people.sol.get(`/scores/${score}`)).body.rights.aclWrite).toBe(false)
    const counted = app.ctx.db.read.selectFrom('scores').where('id', '=', score).select('grants')
    expect(await counted.executeTakeFirst()).toEqual({ grants: 1 })
  })

  it('is not necessary when an attached score is deleted: the assignment stays without the attachment', async () => {
    const score = (await people.tess.post('/scores', emptyPiano())).body.id
    const { id } = await newAssignment(people.tess, schoolClass, {
      attachments: [{ score }, { url: 'https://example.com/' }],
    })
    await people.tess.delete(`/scores/${score}?now=true`)
    await app.jobsDone()
    const { body } = await people.sam.get(`/classes/${schoolClass.id}/assignments/${id}`)
    expect(body.attachments).toMatchObject([{ type: 'link' }])
  })
})
