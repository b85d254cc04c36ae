import { beforeAll, expect, it } from 'vitest'
import { describeApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { type TestClass, makeSchoolWithClass } from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('getSubmissionHistory', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  it('returns all transitions with their users, oldest first', async () => {
    const { tess, theo, sam } = people
    const dueDate = '2090-01-01T00:00:00.000Z'
    const assignment = await newAssignment(tess, schoolClass, { maxPoints: 10, dueDate })
    const { id } = await newSubmission(sam, schoolClass, assignment, { submit: true })
    const at = `${submissionsOf(schoolClass, assignment)}/${id}`
    await tess.put(at, { draftGrade: 4 })
    await theo.put(at, { grade: 5, return: true })
    const common = {
      date: expect.any(String),
      classroom: schoolClass.id,
      assignment: assignment.id,
      submission: id,
      dueDate,
    }
    expect((await tess.get(`${at}/history`)).body).toEqual([
      { ...common, state: 'created', users: [sam.id] },
      { ...common, state: 'turnedIn', users: [sam.id] },
      { ...common, state: 'turnedIn', users: [tess.id], draftGrade: 4 },
      { ...common, state: 'graded', users: [theo.id], grade: 5, maxPoints: 10 },
      { ...common, state: 'returned', users: [theo.id], grade: 5, maxPoints: 10 },
    ])
  })

  it('keeps the revision in which a score was turned in when the score changes later', async () => {
    const { tess, sam } = people
    const assignment = await newAssignment(tess, schoolClass, { type: 'newScore', title: 'Compose' })
    const submission = await newSubmission(sam, schoolClass, assignment)
    const { score } = submission.attachments[0]
    const { body: revision } = await sam.post(`/scores/${score}/revisions`, { data: musicXml() })
    await newSubmission(sam, schoolClass, assignment, { submit: true })
    await sam.post(`/scores/${score}/revisions`, { data: musicXml({ measures: ['G4 G4 G4 G4'] }) })
    const history = (await tess.get(`${submissionsOf(schoolClass, assignment)}/${submission.id}/history`))
      .body
    expect(history[1]).toMatchObject({
      state: 'turnedIn',
      attachment: { score, revision: revision.id, title: 'Compose' },
    })
    expect(history[0]).not.toHaveProperty('attachment')
  })

  it('returns 403 to its student and 404 to other students', async () => {
    const { tess, theo, ada, sam, sol } = people
    const assignment = await newAssignment(tess, schoolClass)
    const { id } = await newSubmission(sam, schoolClass, assignment)
    const at = `${submissionsOf(schoolClass, assignment)}/${id}/history`
    for (const teacher of [tess, theo, ada]) expect((await teacher.get(at)).status).toBe(200)
    expect((await sam.get(at)).body.code).toBe('SUBMISSION_ACCESS_DENIED')
    expect((await sol.get(at)).body.code).toBe('SUBMISSION_NOT_FOUND')
  })
})
