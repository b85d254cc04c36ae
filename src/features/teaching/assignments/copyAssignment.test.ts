import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import { newClass, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day, minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

describeEachDatabase('copyAssignment', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let from: TestClass
  let to: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { tess, theo, sam, sol } = people
    from = await newClass(app, people.id, { teachers: [tess], students: [sam] })
    to = await newClass(app, people.id, { teachers: [tess, theo], students: [sol] })
  })

  const copy = (id: string, body: object, by: 'tess' | 'theo' | 'sam' = 'tess') =>
    people[by].post(`/classes/${from.id}/assignments/${id}/copy`, body)
  const read = async (id: string, schoolClass = to) =>
    (await people.tess.get(`/classes/${schoolClass.id}/assignments/${id}`)).body
  const inTime = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString()

  it('creates a draft with the same content for the whole target class', async () => {
    const score = (await people.tess.post('/scores', emptyPiano('Piece'))).body.id
    const { id } = await newAssignment(people.tess, from, {
      type: 'scoreTemplate',
      descriptionHtml: '<p>Text</p>',
      teacherInstructions: 'Secret',
      maxPoints: 10,
      toolset: 'set',
      dueDate: inTime(day),
      submissionStudentsMode: 'group',
      assignedStudents: [people.sam.id],
      attachments: [{ score, sharingMode: 'copy', lockScoreTemplate: true }, { url: 'https://example.com/' }],
      rubric: { criteria: [{ id: 'a', title: 'A', points: 1 }] },
    })
    const { status, body } = await copy(id, { classroom: to.id })
    expect(status).toBe(200)
    const original = await read(id, from)
    const copied = await read(body.id)
    const { assignedStudents: _students, ...rest } = original
    const own = { id: body.id, classroom: to.id, state: 'draft', creationDate: copied.creationDate }
    const [attached, link] = original.attachments
    const attachments = [{ ...attached, score: copied.attachments[0].score }, link]
    const { capabilities } = body
    expect(copied).toEqual({ ...rest, ...own, assigneeMode: 'everyone', capabilities, attachments })
    expect(body.capabilities.canPublishInClass).toBe(true)
    const copiedScore = copied.attachments[0].score
    expect(copiedScore).not.toBe(score)
    expect((await people.sol.get(`/scores/${copiedScore}`)).status).toBe(404)
    expect((await people.theo.get(`/scores/${copiedScore}`)).status).toBe(200)
  })

  it('omits a due date in the past', async () => {
    const { id } = await newAssignment(people.tess, from, { dueDate: inTime(-1) })
    expect(await read((await copy(id, { classroom: to.id })).body.id)).not.toHaveProperty('dueDate')
  })

  it('replaces the content of an existing draft, and refuses other assignments', async () => {
    const { id } = await newAssignment(people.tess, from, { title: 'Waltz', maxPoints: 3 })
    const draft = await newAssignment(people.tess, to, { title: 'Old', state: 'draft', description: 'Old' })
    const { body } = await copy(id, { classroom: to.id, assignment: draft.id })
    expect([body.id, body.title, body.maxPoints, body.description]).toEqual([draft.id, 'Waltz', 3, undefined])
    const published = await newAssignment(people.tess, to)
    const refused = await copy(id, { classroom: to.id, assignment: published.id })
    expect([refused.status, refused.body.code, refused.body.param]).toEqual([
      409,
      'ASSIGNMENT_STATE_CONFLICT',
      'assignment',
    ])
    const none = await copy(id, { classroom: to.id, assignment: id })
    expect([none.status, none.body.code, none.body.param]).toEqual([
      404,
      'ASSIGNMENT_NOT_FOUND',
      'assignment',
    ])
  })

  it('is published on the scheduled date of the request', async () => {
    const { id } = await newAssignment(people.tess, from)
    const { body } = await copy(id, { classroom: to.id, scheduledDate: inTime(minute) })
    expect(await read(body.id)).toMatchObject({ state: 'draft', scheduledDate: inTime(minute) })
    clock.forward(minute)
    await app.jobsDone()
    expect((await people.sol.get(`/classes/${to.id}/assignments/${body.id}`)).body.state).toBe('active')
  })

  it('requires a teacher of both classes; the source may be archived, the target may not', async () => {
    const { id } = await newAssignment(people.tess, from)
    expect((await copy(id, { classroom: to.id }, 'theo')).body.code).toBe('CLASS_NOT_FOUND')
    expect((await copy(id, { classroom: from.id }, 'sam')).body.code).toBe('ASSIGNMENT_ACCESS_DENIED')
    const foreign = await newClass(app, people.id, { teachers: [people.tara] })
    const { status, body } = await copy(id, { classroom: foreign.id })
    expect([status, body.code, body.param]).toEqual([404, 'CLASS_NOT_FOUND', 'classroom'])
    await setClassState(app, from, 'archived')
    expect((await copy(id, { classroom: to.id })).status).toBe(200)
    expect((await copy(id, { classroom: from.id })).body.code).toBe('CLASS_ARCHIVED')
    await setClassState(app, from, 'active')
  })

  it('refuses a body without a target', async () => {
    const { id } = await newAssignment(people.tess, from)
    expect((await copy(id, {})).status).toBe(400)
    expect((await copy(id, { libraryParent: null })).status).toBe(400)
    expect((await copy(id, { libraryParent: 'constructor' })).body.code).toBe('RESOURCE_NOT_FOUND')
    // A null library is ignored if the body has a class.
    expect((await copy(id, { classroom: to.id, libraryParent: null })).status).toBe(200)
  })

  it('copies to a library with new scores', async () => {
    const { tess, theo } = people
    const score = (await tess.post('/scores', emptyPiano('Piece'))).body.id
    const properties = { type: 'scoreTemplate', description: 'Text', dueDate: inTime(day), maxPoints: 5 }
    const { id } = await newAssignment(tess, from, {
      ...properties,
      attachments: [{ score, sharingMode: 'copy' }],
    })
    const { status, body } = await copy(id, { libraryParent: 'organization' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ type: 'scoreTemplate', title: 'Waltz', description: 'Text', maxPoints: 5 })
    expect(body).not.toHaveProperty('dueDate')
    expect(body.attachments[0].score).not.toBe(score)
    const { resource, ...assignment } = body
    const { body: resourceBody } = await theo.get(`/eduResources/${resource}`)
    expect(resourceBody).toMatchObject({ title: 'Waltz', parent: 'organization', creator: tess.id })
    expect(resourceBody.resource).toEqual({
      ...assignment,
      capabilities: { ...assignment.capabilities, canEdit: false },
    })
    expect((await theo.get(`/scores/${body.attachments[0].score}`)).status).toBe(200)
  })

  it('copies to each library once for concurrent requests that verify it', async () => {
    const { id } = await newAssignment(people.tess, from)
    const once = { verifyIfNotAlreadyInResourceLibrary: true }
    const all = await Promise.all([1, 2, 3].map(() => copy(id, { libraryParent: 'root', ...once })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const refused = all.find(({ status }) => status === 409)?.body
    expect([refused?.code, refused?.param]).toEqual(['ALREADY_IN_LIBRARY', 'libraryParent'])
    expect((await copy(id, { libraryParent: 'organization', ...once })).status).toBe(200)
    expect((await copy(id, { libraryParent: 'root' })).status).toBe(200)
    expect((await copy(id, { libraryParent: 'flatEduContent' })).status).toBe(403)
  })
})
