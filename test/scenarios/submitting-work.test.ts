import { parse } from 'csv-parse/sync'
import { FlatError, type FlatClient, FlatNotFoundError } from 'flat-api'
import { beforeAll, expect, it } from 'vitest'
import { type TestApp, useApp } from '../support/app.ts'
import { newClass, type TestClass } from '../support/classes.ts'
import { testClock } from '../support/clock.ts'
import { day } from '../../src/lib/durations.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { recordingClients, scenarioOperations } from '../support/official-client.ts'
import { makeSchool, type School } from '../support/school.ts'
import { emptyPiano, musicXml } from '../support/scores.ts'
import { readBack } from '../support/workbooks.ts'

describeEachDatabase('submitting work with the official client', (databases) => {
  const clock = testClock('2030-01-07T08:00:00.000Z')
  const app: TestApp = useApp(databases, {}, { clock })
  const { clientOf, called } = recordingClients(app)
  let people: School
  let schoolClass: TestClass
  let ofTess: FlatClient
  let ofSam: FlatClient
  let assignment: { _class: string; assignment: string }
  let work: { _class: string; assignment: string; submission: string }
  let copy: string

  beforeAll(async () => {
    people = await makeSchool(app)
    schoolClass = await newClass(app, people.id, {
      teachers: [people.tess],
      students: [people.sam, people.sol],
    })
    ofTess = clientOf(people.tess)
    ofSam = clientOf(people.sam)
  })

  it('schedules an assignment with a template for the next day, due in a week', async () => {
    const template = (await people.tess.post('/scores', emptyPiano('Waltz'))).body.id
    const created = await ofTess.classes.createClassAssignment({
      _class: schoolClass.id,
      body: {
        title: 'Finish the waltz',
        type: 'scoreTemplate',
        state: 'active',
        scheduledDate: new Date('2030-01-08T08:00:00Z'),
        dueDate: new Date('2030-01-15T08:00:00Z'),
        maxPoints: 20,
        attachments: [{ type: 'flat', score: template, sharingMode: 'copy' }],
      },
    })
    assignment = { _class: schoolClass.id, assignment: created.id }
    const tooEarly = ofSam.classes.createSubmission({ ...assignment, body: {} })
    await expect(tooEarly).rejects.toBeInstanceOf(FlatNotFoundError)
    clock.forward(day)
    expect(await ofSam.classes.getSubmissions(assignment)).toEqual([])
  })

  it('copies the template for a student, who writes it and whose teacher reads it', async () => {
    const submission = await ofSam.classes.createSubmission({ ...assignment, body: {} })
    expect(submission).toMatchObject({
      state: 'created',
      creator: people.sam.id,
      attachments: [{ dedicated: true }],
    })
    work = { ...assignment, submission: submission.id }
    copy = submission.attachments[0]?.score ?? ''
    await ofSam.scores.createScoreRevision({ score: copy, body: { data: musicXml() } })
    expect((await ofTess.scores.getScore({ score: copy })).rights).toMatchObject({
      aclRead: true,
      aclWrite: false,
    })
    expect((await ofTess.scores.getScoreSubmissions({ score: copy })).map(({ id }) => id)).toEqual([
      submission.id,
    ])
    const foreign = clientOf(people.sol).classes.getSubmission(work)
    await expect(foreign).rejects.toBeInstanceOf(FlatNotFoundError)
  })

  it('turns in the work, takes it back, adds a link and turns it in again', async () => {
    const { classes } = ofSam
    expect((await classes.createSubmission({ ...assignment, body: { submit: true } })).state).toBe('turnedIn')
    const edited = classes.createSubmission({ ...assignment, body: { attachments: [] } })
    await expect(edited).rejects.toSatisfy((error) => error instanceof FlatError && error.status === 409)
    expect((await classes.createSubmission({ ...assignment, body: { submit: false } })).state).toBe('created')
    const attachments = [{ type: 'link' as const, url: 'https://example.com/' }]
    const again = await classes.createSubmission({ ...assignment, body: { attachments, submit: true } })
    expect(again.attachments.map(({ type }) => type)).toEqual(['flat', 'link'])
  })

  it('comments on the submission', async () => {
    const say = (of: FlatClient, comment: string) =>
      of.classes.postSubmissionComment({ ...work, assignmentSubmissionCommentCreation: { comment } })
    const first = await say(ofSam, 'Done')
    const second = await say(ofTess, 'God')
    const assignmentSubmissionCommentCreation = { comment: 'Good' }
    const comment = second.id ?? ''
    await ofTess.classes.updateSubmissionComment({ ...work, comment, assignmentSubmissionCommentCreation })
    expect((await ofSam.classes.getSubmission(work)).comments).toEqual({ total: 2, unread: 1 })
    const listed = await ofSam.classes.getSubmissionComments(work)
    expect(listed.map(({ comment, unread }) => [comment, unread])).toEqual([
      ['Done', false],
      ['Good', true],
    ])
    expect((await ofSam.classes.getSubmission(work)).comments).toEqual({ total: 2, unread: 0 })
    await ofSam.classes.deleteSubmissionComment({ ...work, comment: first.id ?? '' })
  })

  it('saves a draft grade, returns the work and grades it again', async () => {
    const { classes } = ofTess
    expect((await classes.editSubmission({ ...work, body: { draftGrade: 14 } })).draftGrade).toBe(14)
    expect((await ofSam.classes.getSubmission(work)).draftGrade).toBeUndefined()
    const denied = ofSam.classes.editSubmission({ ...work, body: { grade: 20 } })
    await expect(denied).rejects.toSatisfy((error) => error instanceof FlatError && error.status === 403)
    const tooMuch = classes.editSubmission({ ...work, body: { grade: 21 } })
    await expect(tooMuch).rejects.toSatisfy((error) => error instanceof FlatError && error.status === 400)
    await classes.editSubmission({ ...work, body: { _return: true } })
    expect(await ofSam.classes.getSubmission(work)).toMatchObject({
      state: 'returned',
      grade: 14,
      maxPoints: 20,
    })
  })

  it('accepts late work', async () => {
    clock.forward(8 * day)
    const late = await people.sam.put(
      `/classes/${schoolClass.id}/assignments/${work.assignment}/submissions`,
      {
        submit: true,
      },
    )
    expect(late.body).toMatchObject({ state: 'turnedIn', late: true })
    expect((await ofTess.classes.editSubmission({ ...work, body: { grade: 18, _return: true } })).state).toBe(
      'returned',
    )
  })

  it('lists and exports the submissions for the teacher', async () => {
    const listed = await ofTess.classes.getSubmissions(assignment)
    expect(listed.map(({ id, grade }) => [id, grade])).toEqual([[work.submission, 18]])
    const [inClass] = await ofTess.classes.listAssignments({ _class: schoolClass.id })
    expect(inClass?.submissions.map(({ id }) => id)).toEqual([work.submission])
    const ofStudent = await ofTess.classes.listClassStudentSubmissions({
      _class: schoolClass.id,
      user: people.sam.id,
    })
    expect(ofStudent.map(({ id }) => id)).toEqual([work.submission])

    const csv = await (await ofTess.classes.exportSubmissionsReviewsAsCsv(assignment)).text()
    const rows: string[][] = parse(csv, { bom: true })
    const cellsOf = ([, , username, , , state, late, , , grade]: string[]) => [username, state, late, grade]
    expect(rows.slice(1).map(cellsOf)).toEqual([
      ['sam', 'returned', 'yes', '18'],
      ['sol', '', '', ''],
    ])
    const excel = await (await ofTess.classes.exportSubmissionsReviewsAsExcel(assignment)).arrayBuffer()
    expect((await readBack(new Uint8Array(excel))).rows[1]?.[9]).toBe(18)
  })

  it('resets a submission', async () => {
    const reset = await ofTess.classes.deleteSubmission(work)
    expect(reset).toMatchObject({
      id: work.submission,
      state: 'created',
      attachments: [],
      comments: { total: 1 },
    })
    await expect(ofSam.scores.getScore({ score: copy })).rejects.toBeInstanceOf(FlatNotFoundError)
    const [fresh] = (await ofSam.classes.createSubmission({ ...assignment, body: {} })).attachments
    expect(fresh).toMatchObject({ dedicated: true })
    expect(fresh?.score).not.toBe(copy)
  })

  it('returns the history of the submission', async () => {
    const history = await ofTess.classes.getSubmissionHistory(work)
    expect(history.map(({ state, grade, draftGrade }) => [state, grade ?? draftGrade])).toEqual([
      ['created', undefined],
      ['turnedIn', undefined],
      ['created', undefined],
      ['turnedIn', undefined],
      ['turnedIn', 14],
      ['returned', 14],
      ['turnedIn', 14],
      ['graded', 18],
      ['returned', 18],
      ['reset', undefined],
    ])
    expect(history.map(({ date }) => date.getTime())).toEqual(
      history.map(({ date }) => date.getTime()).sort(),
    )
    expect(history[1]?.attachment?.score).toBe(copy)
  })

  it('has called every operation on its list', () => {
    expect([...called]).toEqual(expect.arrayContaining([...scenarioOperations['submitting-work']]))
  })
})
