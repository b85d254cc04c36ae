import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newAssignment } from '../../../../test/support/assignments.ts'
import {
  newClass,
  newSubGroup,
  setClassState,
  type TestClass,
  makeSchoolWithClass,
} from '../../../../test/support/classes.ts'
import type { School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newSubmission, submissionsOf } from '../../../../test/support/submissions.ts'
import { newTrack } from '../../../../test/support/tracks.ts'
import { onTwoServers } from '../../../../test/support/two-servers.ts'

describeApp('createSubmission', (app, databases) => {
  let people: School
  let schoolClass: TestClass
  let template: string

  beforeAll(async () => {
    ;({ people, schoolClass } = await makeSchoolWithClass(app))
    const { tess } = people
    template = (await tess.post('/scores', emptyPiano('Template'))).body.id
  })

  const assign = (properties: object = {}) => newAssignment(people.tess, schoolClass, properties)
  const put = (person: Person, assignment: { id: string }, body: object) =>
    person.put(submissionsOf(schoolClass, assignment), body)

  it('creates the submission of a student once', async () => {
    const assignment = await assign()
    const { status, body } = await put(people.sam, assignment, {})
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'created',
      classroom: schoolClass.id,
      assignment: assignment.id,
      creator: people.sam.id,
      attachments: [],
      playback: [],
      comments: { total: 0, unread: 0 },
      late: false,
      missing: false,
    })
    for (const field of ['grade', 'draftGrade', 'maxPoints', 'submissionDate', 'returnDate', 'group']) {
      expect(body).not.toHaveProperty(field)
    }
    expect((await put(people.sam, assignment, {})).body).toEqual(body)
    expect((await put(people.sol, assignment, {})).body.id).not.toBe(body.id)
  })

  describe('copies to work in', () => {
    it('are copies of the templates that the student owns and the teachers can read', async () => {
      const { tess, theo, sam, sol, tara } = people
      const assignment = await assign({
        type: 'scoreTemplate',
        attachments: [
          { score: template, sharingMode: 'copy', lockScoreTemplate: true },
          { score: (await tess.post('/scores', emptyPiano('Model'))).body.id, sharingMode: 'read' },
        ],
      })
      const { attachments } = await newSubmission(sam, schoolClass, assignment)
      expect(attachments).toEqual([
        {
          type: 'flat',
          score: expect.any(String),
          dedicated: true,
          sharingMode: 'copy',
          lockScoreTemplate: true,
          title: 'Template',
          teacherOnly: false,
        },
      ])
      const copy = attachments[0].score
      expect(copy).not.toBe(template)
      const own = (await sam.get(`/scores/${copy}`)).body
      expect(own).toMatchObject({ parentScore: template, user: { id: sam.id }, rights: { aclAdmin: true } })
      for (const teacher of [tess, theo]) {
        const { status, body } = await teacher.get(`/scores/${copy}`)
        expect([status, body.rights.aclRead, body.rights.aclWrite]).toEqual([200, true, false])
      }
      for (const other of [sol, tara]) expect((await other.get(`/scores/${copy}`)).status).toBe(404)
      // The submission grants access to the teachers, so the student cannot revoke it.
      expect((await sam.get(`/scores/${copy}/collaborators`)).body).toMatchObject([{ user: { id: sam.id } }])
      expect((await newSubmission(sam, schoolClass, assignment)).attachments).toEqual(attachments)
    })

    it('include one empty score for an assignment of type newScore', async () => {
      const assignment = await assign({ type: 'newScore', title: 'Compose' })
      const { attachments } = await newSubmission(people.sam, schoolClass, assignment)
      expect(attachments).toMatchObject([{ type: 'flat', dedicated: true, title: 'Compose' }])
      const { body } = await people.sam.get(`/scores/${attachments[0].score}`)
      expect(body).toMatchObject({ title: 'Compose', instruments: ['keyboards.piano'], privacy: 'private' })
      const handedIn = (await newSubmission(people.sam, schoolClass, assignment, { submit: true }))
        .attachments
      expect(handedIn).toEqual([{ ...attachments[0], revision: expect.any(String) }])
    })

    it('are not created without a template that students can see', async () => {
      const attachments = [{ score: template, sharingMode: 'copy', teacherOnly: true }]
      expect(
        (await newSubmission(people.sam, schoolClass, await assign({ attachments }))).attachments,
      ).toEqual([])
    })

    it('stay when the student changes the attachments', async () => {
      const assignment = await assign({ attachments: [{ score: template, sharingMode: 'copy' }] })
      const submission = await newSubmission(people.sam, schoolClass, assignment)
      const [copy] = submission.attachments
      const link = { type: 'link', url: 'https://example.com/' }
      const added = await newSubmission(people.sam, schoolClass, assignment, { attachments: [copy, link] })
      expect(added.attachments).toEqual([copy, expect.objectContaining(link)])
      expect(
        (await newSubmission(people.sam, schoolClass, assignment, { attachments: [] })).attachments,
      ).toEqual([copy])
    })
  })

  it('gives the teachers read access to a student’s own score while it is attached', async () => {
    const { tess, sam, sol } = people
    const assignment = await assign()
    const score = (await sam.post('/scores', emptyPiano('Mine'))).body.id
    expect((await tess.get(`/scores/${score}`)).status).toBe(404)
    const { attachments } = await newSubmission(sam, schoolClass, assignment, { attachments: [{ score }] })
    expect(attachments).toMatchObject([{ type: 'flat', score, sharingMode: 'read', title: 'Mine' }])
    expect((await tess.get(`/scores/${score}`)).status).toBe(200)
    expect((await sol.get(`/scores/${score}`)).status).toBe(404)
    await newSubmission(sam, schoolClass, assignment, { attachments: [] })
    expect((await tess.get(`/scores/${score}`)).status).toBe(404)
  })

  it('shows the facts that the web service returned for a link', async () => {
    const url = `https://youtu.be/${app.ctx.newId()}`
    const facts = JSON.stringify({ title: 'A waltz', authorName: 'Una' })
    await app.ctx.transaction((tx) =>
      tx.insertInto('web_links').values({ url, facts, created_at: 0 }).execute(),
    )
    const { attachments } = await newSubmission(people.sam, schoolClass, await assign(), {
      attachments: [{ url }],
    })
    expect(attachments).toMatchObject([{ type: 'link', url, title: 'A waltz', authorName: 'Una' }])
  })

  it('rejects a score that the student cannot read', async () => {
    const foreign = (await people.sol.post('/scores', emptyPiano())).body.id
    const { status, body } = await put(people.sam, await assign(), { attachments: [{ score: foreign }] })
    expect([status, body.param]).toEqual([404, 'attachments.0.score'])
  })

  it('turns a submission in repeatedly and reclaims it', async () => {
    const { sam } = people
    const assignment = await assign()
    const first = await newSubmission(sam, schoolClass, assignment, { submit: true })
    expect(first).toMatchObject({ state: 'turnedIn', submissionDate: expect.any(String) })
    const url = 'https://example.com/'
    const edited = await put(sam, assignment, { attachments: [{ url }] })
    expect([edited.status, edited.body.code]).toEqual([409, 'SUBMISSION_STATE_CONFLICT'])
    expect(
      (await newSubmission(sam, schoolClass, assignment, { submit: true, attachments: [{ url }] }))
        .attachments,
    ).toMatchObject([{ url }])
    const reclaimed = await newSubmission(sam, schoolClass, assignment, { submit: false })
    expect(reclaimed.state).toBe('created')
    expect(reclaimed).not.toHaveProperty('submissionDate')
    expect((await put(sam, assignment, { attachments: [] })).status).toBe(200)
  })

  it.each([
    ['draftGrade', 1],
    ['grade', 1],
    ['grade', null],
    ['return', true],
    ['return', false],
    ['rubric', []],
  ])('rejects %s from a student', async (field, value) => {
    const { status, body } = await put(people.sam, await assign(), { [field]: value, submit: true })
    expect([status, body.code, body.param]).toEqual([403, 'SUBMISSION_FIELD_DENIED', field])
  })

  it('is open only to students that the assignment is assigned to', async () => {
    const { tess, ada, sol, tara, otto } = people
    const assignment = await assign({ assignedStudents: [people.sam.id] })
    for (const person of [tess, ada]) {
      expect((await put(person, assignment, {})).body.code).toBe('ASSIGNMENT_ACCESS_DENIED')
    }
    expect((await put(sol, assignment, {})).body.code).toBe('ASSIGNMENT_NOT_FOUND')
    expect((await put(tara, assignment, {})).body.code).toBe('CLASS_NOT_FOUND')
    expect((await put(otto, assignment, {})).status).toBe(403)
    expect((await put(people.sam, assignment, {})).status).toBe(200)
  })

  it('is refused in an archived class and for an archived assignment', async () => {
    const { id, tess, sam } = people
    const other = await newClass(app, id, { teachers: [tess], students: [sam] })
    const assignment = await newAssignment(tess, other)
    const send = () => sam.put(submissionsOf(other, assignment), {})
    await app.ctx.transaction((tx) =>
      tx.updateTable('assignments').set({ state: 'archived' }).where('id', '=', assignment.id).execute(),
    )
    expect((await send()).body.code).toBe('ASSIGNMENT_ARCHIVED')
    await setClassState(app, other, 'archived')
    expect((await send()).body.code).toBe('CLASS_ARCHIVED')
  })

  describe('playback', () => {
    it('is counted, and a count never decreases', async () => {
      const assignment = await assign({ attachments: [{ score: template }] })
      const played = async (nbPlayAttempt: number) =>
        (
          await newSubmission(people.sam, schoolClass, assignment, {
            playback: [{ score: template, nbPlayAttempt }],
          })
        ).playback
      expect(await played(2)).toEqual([{ score: template, nbPlayAttempt: 2 }])
      expect(await played(1)).toEqual([{ score: template, nbPlayAttempt: 2 }])
      expect((await newSubmission(people.sam, schoolClass, assignment)).playback).toEqual([
        { score: template, nbPlayAttempt: 2 },
      ])
    })

    it('is limited if the assignment sets a limit', async () => {
      const assignment = await assign({ attachments: [{ score: template }], nbPlaybackAuthorized: 2 })
      const send = (nbPlayAttempt: number) =>
        put(people.sam, assignment, { playback: [{ score: template, nbPlayAttempt }] })
      expect((await send(2)).status).toBe(200)
      const { status, body } = await send(3)
      expect([status, body.code, body.param]).toEqual([403, 'PLAYBACK_EXHAUSTED', 'playback.0.nbPlayAttempt'])
      expect((await newSubmission(people.sam, schoolClass, assignment)).playback).toEqual([
        { score: template, nbPlayAttempt: 2 },
      ])
    })

    it('accepts a stored count above a limit that was lowered later', async () => {
      const assignment = await assign({ attachments: [{ score: template }], nbPlaybackAuthorized: 3 })
      const send = (nbPlayAttempt: number) =>
        put(people.sam, assignment, { playback: [{ score: template, nbPlayAttempt }], submit: true })
      await send(3)
      await people.tess.put(`/classes/${schoolClass.id}/assignments/${assignment.id}`, {
        nbPlaybackAuthorized: 1,
      })
      const again = await send(3)
      expect([again.status, again.body.playback]).toEqual([200, [{ score: template, nbPlayAttempt: 3 }]])
      expect((await send(4)).body.code).toBe('PLAYBACK_EXHAUSTED')
    })

    it.each([-3, 1.5])('rejects the count %d under a limit', async (nbPlaybackAuthorized) => {
      const at = `/classes/${schoolClass.id}/assignments`
      const { status, body } = await people.tess.post(at, { title: 'Waltz', nbPlaybackAuthorized })
      expect([status, body.param]).toEqual([400, 'nbPlaybackAuthorized'])
    })

    it.each([
      [{ score: '0123456789abcdef01234567', nbPlayAttempt: 1 }, 'playback.0.score'],
      [{ nbPlayAttempt: 1.5 }, 'playback.0.nbPlayAttempt'],
      [{ nbPlayAttempt: -1 }, 'playback.0.nbPlayAttempt'],
    ])('rejects %j', async (wrong, param) => {
      const assignment = await assign({ attachments: [{ score: template }] })
      const { status, body } = await put(people.sam, assignment, {
        playback: [{ score: template, ...wrong }],
      })
      expect([status, body.param]).toEqual([400, param])
    })
  })

  it('attaches the student’s newest recording of each score of a performance when it is turned in', async () => {
    const { sam, sol, tess } = people
    const assignment = await assign({
      type: 'performance',
      attachments: [{ score: template, sharingMode: 'performance' }],
    })
    const play = (by: Person, properties: object = {}) =>
      newTrack(app, template, { creator_id: by.id, purpose: 'performanceSubmission', ...properties })
    await play(sam)
    const newest = await play(sam)
    await play(sam, { state: 'deleted' })
    await play(sol)
    expect((await newSubmission(sam, schoolClass, assignment)).attachments).toEqual([])
    const turnedIn = await newSubmission(sam, schoolClass, assignment, { submit: true })
    expect(turnedIn.attachments).toMatchObject([
      { type: 'flat', score: template, track: newest, sharingMode: 'performance' },
    ])
    expect((await tess.get(`/scores/${template}/tracks/${newest}`)).status).toBe(200)
    const again = await play(sam)
    const later = await newSubmission(sam, schoolClass, assignment, {
      submit: true,
      attachments: turnedIn.attachments,
    })
    expect(later.attachments).toMatchObject([{ score: template, track: again }])
  })

  describe('a group submission', () => {
    async function groupClass() {
      const { id, tess, sam, sol } = people
      const suri = await app.person(`suri${app.ctx.newId().slice(-20)}`, { organization: id })
      const group = await newClass(app, id, { teachers: [tess], students: [sam, sol, suri] })
      const strings = await newSubGroup(tess, group, 'Strings', sam, sol)
      return { group, strings, suri }
    }

    it('is shared, and any member can turn it in', async () => {
      const { tess, sam, sol } = people
      const { group, strings, suri } = await groupClass()
      const assignment = await newAssignment(tess, group, {
        submissionStudentsMode: 'group',
        attachments: [{ score: template, sharingMode: 'copy' }],
      })
      const started = await newSubmission(sam, group, assignment)
      expect(started).toMatchObject({ creator: sam.id, group: expect.any(String) })
      expect((await tess.get(`/groups/${started.group}`)).body.parent).toBe(strings)
      const turnedIn = await newSubmission(sol, group, assignment, { submit: true })
      expect(turnedIn).toMatchObject({
        id: started.id,
        creator: sam.id,
        state: 'turnedIn',
        attachments: started.attachments,
      })
      const alone = await newSubmission(suri, group, assignment)
      expect(alone.id).not.toBe(started.id)
      expect(alone).not.toHaveProperty('group')
      const copy = started.attachments[0].score
      expect((await sol.get(`/scores/${copy}`)).body.rights).toMatchObject({
        aclWrite: true,
        aclAdmin: false,
      })
      expect((await suri.get(`/scores/${copy}`)).status).toBe(404)
      const list = (await sol.get(submissionsOf(group, assignment))).body
      expect(list.map(({ id }: { id: string }) => id)).toEqual([started.id])
      const history = (await tess.get(`${submissionsOf(group, assignment)}/${started.id}/history`)).body
      expect(history.map(({ users }: { users: string[] }) => users)).toEqual([[sam.id], [sol.id]])
    })

    it('belongs to the group that the assignment is assigned to', async () => {
      const { tess, sam } = people
      const { group } = await groupClass()
      const brass = await newSubGroup(tess, group, 'Brass', sam)
      const assignment = await newAssignment(tess, group, {
        submissionStudentsMode: 'group',
        classGroupIds: [brass],
      })
      const own = (await newSubmission(sam, group, assignment)).group
      expect((await tess.get(`/groups/${own}`)).body.parent).toBe(brass)
    })

    it('belongs to each group of the class for shared writing', async () => {
      const { tess, sam, sol } = people
      const { group, suri } = await groupClass()
      const assignment = await newAssignment(tess, group, { type: 'sharedWriting' })
      const started = await newSubmission(sam, group, assignment)
      expect((await newSubmission(sol, group, assignment)).id).toBe(started.id)
      expect((await newSubmission(suri, group, assignment)).id).not.toBe(started.id)
    })
  })

  it('is created once when members start it concurrently on two servers', async () => {
    await onTwoServers(databases, async ({ app, onOther: there }) => {
      const organization = await app.organization()
      const tess = await app.person('tess', { organization, role: 'teacher' })
      const students = await Promise.all(
        ['sam', 'sol', 'suri'].map((name) => app.person(name, { organization })),
      )
      const schoolClass = await newClass(app, organization, { teachers: [tess], students })
      const score = (await tess.post('/scores', emptyPiano())).body.id
      const assignment = await newAssignment(tess, schoolClass, {
        attachments: [{ score, sharingMode: 'copy' }],
      })
      const send = ({ put }: Pick<Person, 'put'>) =>
        put(submissionsOf(schoolClass, assignment), { submit: true })
      const replies = await Promise.all(
        students.flatMap((student) => [send(student), send(there(student)), send(student)]),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      const list: { id: string; attachments: unknown[] }[] = (
        await tess.get(submissionsOf(schoolClass, assignment))
      ).body
      expect(list.map(({ attachments }) => attachments.length)).toEqual([1, 1, 1])
      for (const { id } of list) {
        const history = (await tess.get(`${submissionsOf(schoolClass, assignment)}/${id}/history`)).body
        const states = history.map(({ state }: { state: string }) => state)
        expect(states).toEqual(['created', 'turnedIn', 'turnedIn', 'turnedIn'])
      }
    })
  })
})
