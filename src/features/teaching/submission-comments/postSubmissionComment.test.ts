import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import {
  newClass,
  setClassState,
  type TestClass,
  makeSchoolWithClass,
} from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'

describeApp('postSubmissionComment', (app, databases) => {
  let people: School
  let schoolClass: TestClass
  let at: string

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
    const { tess, sam } = people
    const assignment = await newAssignment(tess, schoolClass)
    at = `${submissionsOf(schoolClass, assignment)}/${(await newSubmission(sam, schoolClass, assignment)).id}/comments`
  })

  it('is available to teachers and to the student of the submission', async () => {
    const { tess, ada, sam, sol, tara } = people
    for (const person of [tess, ada, sam]) {
      const { status, body } = await person.post(at, { comment: 'Good' })
      expect([status, body.user, body.comment]).toEqual([200, person.id, 'Good'])
      expect(body).not.toHaveProperty('modificationDate')
    }
    expect((await sol.post(at, { comment: 'A' })).body.code).toBe('SUBMISSION_NOT_FOUND')
    expect((await tara.post(at, { comment: 'A' })).body.code).toBe('CLASS_NOT_FOUND')
  })

  it.each([{}, { comment: '' }, { comment: ' \n' }, { comment: 'x'.repeat(10_001) }, { comment: 1 }])(
    'rejects %j',
    async (body) => {
      const reply = await people.sam.post(at, body)
      expect([reply.status, reply.body.param]).toEqual([400, 'comment'])
    },
  )

  it('is refused in an archived class', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const assignment = await newAssignment(tess, other)
    const submission = await newSubmission(sam, other, assignment)
    await setClassState(app, other, 'archived')
    const reply = await sam.post(`${submissionsOf(other, assignment)}/${submission.id}/comments`, {
      comment: 'A',
    })
    expect(reply.body.code).toBe('CLASS_ARCHIVED')
  })

  it('stores all concurrent comments on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const organization = await app.organization()
      const tess = await app.person('tess', { organization, role: 'teacher' })
      const sam = await app.person('sam', { organization })
      const schoolClass = await newClass(app, organization, { teachers: [tess], students: [sam] })
      const assignment = await newAssignment(tess, schoolClass)
      const place = `${submissionsOf(schoolClass, assignment)}/${(await newSubmission(sam, schoolClass, assignment)).id}`
      const sent = Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? sam : there(tess)).post(`${place}/comments`, { comment: `${n}` }),
      )
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200))
      expect((await tess.get(place)).body.comments).toEqual({ total: 8, unread: 4 })
    })
  })
})
