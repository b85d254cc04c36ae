import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, newSubGroup, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'

describeApp('deleting a student or an assignment', (app) => {
  let people: School
  let template: string

  beforeAll(async () => {
    people = await makeSchool(app)
    template = (await people.tess.post('/scores', emptyPiano('Template'))).body.id
  })

  const student = () => app.person(`una${app.ctx.newId().slice(-20)}`, { organization: people.id })
  const classOf = (...students: Person[]) => newClass(app, people.id, { teachers: [people.tess], students })
  const attachments = () => [{ score: template, sharingMode: 'copy' }]

  /** Returns the number of rows of a submission in each table. */
  async function remainingRows(submission: string): Promise<number[]> {
    const tables = ['submission_history', 'submission_comments', 'submission_attachments', 'grants'] as const
    return Promise.all(
      tables.map(async (table) => {
        const { count } = await app.ctx.db.read
          .selectFrom(table)
          .where('submission_id', '=', submission)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        return count
      }),
    )
  }

  async function begin(by: Person, schoolClass: TestClass, properties: object = {}) {
    const assignment = await newAssignment(people.tess, schoolClass, {
      attachments: attachments(),
      ...properties,
    })
    const submission = await newSubmission(by, schoolClass, assignment, { submit: true })
    const at = `${submissionsOf(schoolClass, assignment)}/${submission.id}`
    await people.tess.post(`${at}/comments`, { comment: 'Good' })
    return { assignment, at, id: submission.id, copy: submission.attachments[0].score }
  }

  it.each(['is removed from the class', 'leaves the class', 'is removed from the organization'] as const)(
    'deletes the data of a student who %s, but nothing in other classes',
    async (way) => {
      const { tess, ada } = people
      const una = await student()
      const [schoolClass, other] = [await classOf(una), await classOf(una)]
      const [inClass, inOther] = [await begin(una, schoolClass), await begin(una, other)]
      if (way === 'is removed from the class') await tess.delete(`/classes/${schoolClass.id}/users/${una.id}`)
      if (way === 'leaves the class') await una.delete(`/classes/${schoolClass.id}/users/me`)
      if (way === 'is removed from the organization')
        await ada.delete(`/organizations/users/${una.id}?convertToIndividual=true`)
      expect((await tess.get(inClass.at)).body.code).toBe('SUBMISSION_NOT_FOUND')
      expect(await remainingRows(inClass.id)).toEqual([0, 0, 0, 0])
      for (const person of [una, tess]) expect((await person.get(`/scores/${inClass.copy}`)).status).toBe(404)
      const stays = way !== 'is removed from the organization'
      expect((await tess.get(inOther.at)).status).toBe(stays ? 200 : 404)
      expect((await una.get(`/scores/${inOther.copy}`)).status).toBe(stays ? 200 : 404)
    },
  )

  it('leaves nothing behind when a test student is recreated', async () => {
    const { tess } = people
    const schoolClass = await classOf()
    const { body: test } = await tess.post(`/classes/${schoolClass.id}/testStudent`)
    const assignment = await newAssignment(tess, schoolClass)
    const id = app.ctx.newId()
    await app.ctx.transaction((tx) =>
      tx
        .insertInto('submissions')
        .values({
          id,
          assignment_id: assignment.id,
          class_id: schoolClass.id,
          creator_id: test.id,
          holder_id: test.id,
          state: 'created',
          playback: '[]',
          has_copies: 1,
          last_event: 0,
          last_comment: 0,
          created_at: 0,
        } as never)
        .execute(),
    )
    expect((await tess.get(submissionsOf(schoolClass, assignment))).body).toHaveLength(1)
    await tess.post(`/classes/${schoolClass.id}/testStudent?reset=true`)
    expect((await tess.get(submissionsOf(schoolClass, assignment))).body).toEqual([])
  })

  it('keeps a group submission for the other members', async () => {
    const { tess } = people
    const [una, ulla] = [await student(), await student()]
    const schoolClass = await classOf(una, ulla)
    await newSubGroup(tess, schoolClass, 'Duo', una, ulla)
    const { assignment, at, id, copy } = await begin(una, schoolClass, { submissionStudentsMode: 'group' })
    await una.post(`${at}/comments`, { comment: 'Mine' })
    await tess.delete(`/classes/${schoolClass.id}/users/${una.id}`)
    expect(await newSubmission(ulla, schoolClass, assignment, { submit: true })).toMatchObject({
      id,
      creator: ulla.id,
    })
    expect((await ulla.get(`/scores/${copy}`)).body).toMatchObject({
      user: { id: ulla.id },
      rights: { aclAdmin: true },
    })
    expect((await una.get(`/scores/${copy}`)).status).toBe(404)
    expect((await tess.get(`/scores/${copy}`)).status).toBe(200)
    const comments = (await ulla.get(`${at}/comments`)).body
    expect(comments.map(({ comment }: { comment: string }) => comment)).toEqual(['Good'])
    await ulla.delete(`/classes/${schoolClass.id}/users/me`)
    expect(await remainingRows(id)).toEqual([0, 0, 0, 0])
    expect((await ulla.get(`/scores/${copy}`)).status).toBe(404)
  })

  it('deletes the submissions of the assignment with their copies, but not the students’ own scores', async () => {
    const { tess } = people
    const una = await student()
    const schoolClass = await classOf(una)
    const { assignment, id, copy } = await begin(una, schoolClass)
    const own = (await una.post('/scores', emptyPiano('Mine'))).body.id
    await newSubmission(una, schoolClass, assignment, { attachments: [{ score: own }], submit: true })
    expect((await tess.get(`/scores/${own}`)).status).toBe(200)
    expect((await tess.delete(`/classes/${schoolClass.id}/assignments/${assignment.id}`)).status).toBe(204)
    expect(await remainingRows(id)).toEqual([0, 0, 0, 0])
    expect((await una.get(`/scores/${copy}`)).status).toBe(404)
    expect((await una.get(`/scores/${own}`)).status).toBe(200)
    expect((await tess.get(`/scores/${own}`)).status).toBe(404)
    const row = app.ctx.db.read.selectFrom('scores').where('id', '=', own).select('grants')
    expect((await row.executeTakeFirst())?.grants).toBe(0)
  })
})
