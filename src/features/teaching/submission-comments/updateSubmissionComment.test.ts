import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { type TestClass, makeSchoolWithClass } from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('updateSubmissionComment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  async function begin(): Promise<string> {
    const assignment = await newAssignment(people.tess, schoolClass)
    return `${submissionsOf(schoolClass, assignment)}/${(await newSubmission(people.sam, schoolClass, assignment)).id}/comments`
  }

  it('changes a comment of the caller', async () => {
    const { tess, sam } = people
    const at = await begin()
    const { body: written } = await tess.post(at, { comment: 'God' })
    const { status, body } = await tess.put(`${at}/${written.id}`, { comment: 'Good' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...written, comment: 'Good', modificationDate: expect.any(String) })
    expect((await sam.get(at)).body).toMatchObject([{ id: written.id, comment: 'Good', unread: true }])
  })

  it('refuses all other users, including teachers', async () => {
    const { tess, theo, sam, sol } = people
    const at = await begin()
    const { body: written } = await sam.post(at, { comment: 'Done' })
    for (const person of [tess, theo]) {
      expect((await person.put(`${at}/${written.id}`, { comment: 'B' })).body.code).toBe(
        'COMMENT_ACCESS_DENIED',
      )
    }
    expect((await sol.put(`${at}/${written.id}`, { comment: 'B' })).body.code).toBe('SUBMISSION_NOT_FOUND')
    expect((await sam.get(at)).body).toMatchObject([{ comment: 'Done' }])
  })

  it('returns 404 for a comment on another submission', async () => {
    const { tess } = people
    const [one, other] = [await begin(), await begin()]
    const { body: written } = await tess.post(one, { comment: 'A' })
    for (const id of [written.id, 'x']) {
      expect((await tess.put(`${other}/${id}`, { comment: 'B' })).body.code).toBe('COMMENT_NOT_FOUND')
    }
    const { status, body } = await tess.put(`${one}/${written.id}`, { comment: ' ' })
    expect([status, body.param]).toEqual([400, 'comment'])
  })
})
