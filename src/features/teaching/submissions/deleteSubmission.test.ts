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
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('deleteSubmission', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
  })

  it('resets the submission with new copies, and keeps comments and history', async () => {
    const { tess, sam } = people
    const [template, own] = await Promise.all([
      tess.post('/scores', emptyPiano('Template')).then(({ body }) => body.id),
      sam.post('/scores', emptyPiano('Mine')).then(({ body }) => body.id),
    ])
    const assignment = await newAssignment(tess, schoolClass, {
      attachments: [{ score: template, sharingMode: 'copy' }],
    })
    const work = submissionsOf(schoolClass, assignment)
    const playback = [{ score: template, nbPlayAttempt: 1 }]
    const submission = await newSubmission(sam, schoolClass, assignment, {
      attachments: [{ score: own }],
      playback,
      submit: true,
    })
    const at = `${work}/${submission.id}`
    await sam.post(`${at}/comments`, { comment: 'Done' })
    await tess.put(at, { grade: 5, return: true })
    await tess.put(at, { draftGrade: 6 })

    const { status, body } = await tess.delete(at)
    expect(status).toBe(200)
    const { id, classroom, creator, creationDate } = submission
    const cleared = { id, classroom, assignment: assignment.id, creator, creationDate, state: 'created' }
    expect(body).toEqual({
      ...cleared,
      attachments: [],
      playback: [],
      comments: { total: 1, unread: 1 },
      late: false,
      missing: false,
    })
    expect((await sam.get(at)).body).toEqual({ ...body, comments: { total: 1, unread: 0 } })

    const [copy] = submission.attachments
    for (const person of [sam, tess]) expect((await person.get(`/scores/${copy.score}`)).status).toBe(404)
    expect((await sam.get(`/scores/${own}`)).status).toBe(200)
    expect((await tess.get(`/scores/${own}`)).status).toBe(404)
    await app.jobsDone()
    const remaining = await app.ctx.db.read
      .selectFrom('scores')
      .where('id', '=', copy.score)
      .select('id')
      .execute()
    expect(remaining).toEqual([])

    const again = await newSubmission(sam, schoolClass, assignment)
    expect(again).toMatchObject({
      id: submission.id,
      state: 'created',
      attachments: [{ dedicated: true, title: 'Template' }],
    })
    expect(again.attachments[0].score).not.toBe(copy.score)
    expect((await tess.get(`/scores/${again.attachments[0].score}`)).status).toBe(200)
    const history = (await tess.get(`${at}/history`)).body
    const states = history.map(({ state }: { state: string }) => state)
    expect(states).toEqual(['created', 'turnedIn', 'graded', 'returned', 'returned', 'reset'])
    expect(history.at(-1)).toMatchObject({ state: 'reset', users: [tess.id] })
    expect(history.at(-1)).not.toHaveProperty('grade')
  })

  it('is refused in an archived class and deletes nothing', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const assignment = await newAssignment(tess, other, { type: 'newScore' })
    const submission = await newSubmission(sam, other, assignment)
    await setClassState(app, other, 'archived')
    const at = `${submissionsOf(other, assignment)}/${submission.id}`
    expect((await tess.delete(at)).body.code).toBe('CLASS_ARCHIVED')
    expect((await tess.get(at)).body.attachments).toEqual(submission.attachments)
  })
})
