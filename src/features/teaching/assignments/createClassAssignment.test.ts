import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newClass, newSubGroup, setClassState, type TestClass } from '../../../../test/support/classes.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano, musicXml } from '../../../../test/support/scores.ts'
import { give } from '../../../../test/support/sharing.ts'

describeApp('createClassAssignment', (app) => {
  let people: School
  let schoolClass: TestClass

  beforeAll(async () => {
    people = await makeSchool(app)
    const { tess, theo, sam, sol } = people
    schoolClass = await newClass(app, people.id, { teachers: [tess, theo], students: [sam, sol] })
  })

  const create = (body: object, by: Person = people.tess) =>
    by.post(`/classes/${schoolClass.id}/assignments`, body)
  const newScore = async (of: Person = people.tess): Promise<string> =>
    (await of.post('/scores', emptyPiano('Piece'))).body.id
  const listed = async (id: string, by: Person = people.tess) =>
    (await by.get(`/classes/${schoolClass.id}/assignments`)).body.find((one: { id: string }) => one.id === id)

  it('creates a draft that only teachers can see', async () => {
    const { status, body } = await create({ title: 'Waltz' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      type: 'none',
      title: 'Waltz',
      attachments: [],
      submissionStudentsMode: 'single',
      capabilities: { canEdit: true, canPublishInClass: true, canArchive: true, canUnarchive: false },
    })
    expect(await listed(body.id, people.theo)).toMatchObject({ state: 'draft', creator: people.tess.id })
    expect(await listed(body.id, people.sam)).toBeUndefined()
  })

  it('stores all fields', async () => {
    const fields = {
      type: 'performance',
      title: 'Play it',
      cover: 'https://example.com/cover.png',
      coverFile: 'file',
      maxPoints: 12.5,
      releaseGrades: 'manual',
      toolset: 'set',
      nbPlaybackAuthorized: 3,
      restrictPlayNote: true,
      restrictToAudioTracks: false,
      shuffleExercises: true,
      submissionStudentsMode: 'group',
      recordingType: 'video',
      allowMetronome: true,
      allowBackingTrack: false,
      allowSpeedChange: true,
      freeRecord: true,
      rubric: {
        criteria: [
          {
            id: 'rhythm',
            title: 'Rhythm',
            description: 'In time',
            points: 5,
            levels: [
              { title: 'Nearly', points: 2.5 },
              { title: 'Secure', points: 5 },
            ],
          },
        ],
      },
    }
    const dates = { dueDate: '2030-05-01T10:00:00.000Z', scheduledDate: '2030-04-01T10:00:00.000Z' }
    const { body } = await create({ ...fields, ...dates })
    expect(body).toMatchObject(fields)
    expect(await listed(body.id)).toMatchObject({
      ...fields,
      ...dates,
      classroom: schoolClass.id,
      assigneeMode: 'everyone',
    })
  })

  it.each([
    'none',
    'newScore',
    'scoreTemplate',
    'sharedWriting',
    'worksheet',
    'worksheetText',
    'performance',
  ])('accepts the type %s', async (type) => {
    expect((await create({ title: 'A', type })).body.type).toBe(type)
  })

  it('requires a title', async () => {
    const { status, body } = await create({ type: 'none' })
    expect([status, body.param]).toEqual([400, 'title'])
  })

  it('refuses a rubric with repeated criteria ids', async () => {
    const criterion = { id: 'a', title: 'A', points: 1 }
    const { status, body } = await create({ title: 'A', rubric: { criteria: [criterion, criterion] } })
    expect([status, body.param]).toEqual([400, 'rubric.criteria.1.id'])
  })

  it.each([
    [[3, 1, 3], 'rubric.criteria.0.levels.2.points'],
    [[1, 6], 'rubric.criteria.0.levels.1.points'],
  ])('refuses levels of a criterion with repeated points, and above its maximum: %j', async (all, param) => {
    const levels = all.map((points) => ({ title: 'L', points }))
    const criteria = [{ id: 'a', title: 'A', points: 5, levels }]
    const { status, body } = await create({ title: 'A', rubric: { criteria } })
    expect([status, body.param]).toEqual([400, param])
  })

  it('requires a teacher or administrator, and a class that is not archived', async () => {
    expect((await create({ title: 'A' }, people.sam)).body.code).toBe('CLASS_ACCESS_DENIED')
    expect((await create({ title: 'A' }, people.tara)).body.code).toBe('CLASS_NOT_FOUND')
    expect((await create({ title: 'A' }, people.ada)).status).toBe(200)
    await setClassState(app, schoolClass, 'archived')
    const { status, body } = await create({ title: 'A' })
    expect([status, body.code]).toEqual([409, 'CLASS_ARCHIVED'])
    await setClassState(app, schoolClass, 'active')
  })

  describe('with HTML', () => {
    it('keeps text, links, lists and images of this server, and derives the plain text', async () => {
      const { body } = await create({
        title: 'A',
        description: 'is replaced',
        descriptionHtml:
          '<h1 onclick="x()">One &amp; two</h1><p style="a">Read <a href="https://example.com/a?b=1&amp;c" target="_blank">this</a>' +
          `<br>now</p><ul><li>x &lt; y</li></ul><img src="${app.url}/files/a" onerror="x()"><img src="/b.png">` +
          '<img src="https://example.com/a.png"><img src="//example.com/a.png"><img src="data:image/png;base64,AAAA"><script>alert(1)</script><svg><a href="javascript:x()">s</a></svg>' +
          '<a href=" java\tscript:x()">link</a>',
        teacherInstructionsHtml: `<p>Secret</p><img src="${app.url}/files/a">`,
      })
      expect(body.descriptionHtml).toBe(
        '<h1>One &amp; two</h1><p>Read <a href="https://example.com/a?b=1&amp;c">this</a><br />now</p>' +
          `<ul><li>x &lt; y</li></ul><img src="${app.url}/files/a" /><img src="/b.png" /><a>s</a><a>link</a>`,
      )
      expect(body.description).toBe('One & two\nRead this\nnow\nx < y\n\nslink')
      expect(body.teacherInstructionsHtml).toBe('<p>Secret</p>')
      expect(body.teacherInstructions).toBe('Secret')
    })
  })

  describe('with attachments', () => {
    it('stores each once, in order', async () => {
      const score = await newScore()
      const attachments = [
        { type: 'flat', score, sharingMode: 'copy', lockScoreTemplate: true },
        { url: 'https://example.com/page' },
        { type: 'photo', url: 'https://example.com/photo.png', teacherOnly: true },
        { type: 'video', url: 'https://example.com/video' },
        { type: 'rich', url: 'https://example.com/rich' },
        { googleDriveFileId: 'file' },
        { worksheet: 'sheet' },
        { score },
        { type: 'link', url: 'https://example.com/page' },
      ]
      const { body } = await create({ title: 'A', attachments })
      // The interface has these default values for every type.
      const all = { teacherOnly: false, sharingMode: 'read' }
      expect(body.attachments).toEqual([
        { ...all, type: 'flat', score, sharingMode: 'copy', lockScoreTemplate: true, title: 'Piece' },
        { ...all, type: 'link', url: 'https://example.com/page' },
        { ...all, type: 'photo', url: 'https://example.com/photo.png', teacherOnly: true },
        { ...all, type: 'video', url: 'https://example.com/video' },
        { ...all, type: 'rich', url: 'https://example.com/rich' },
        { ...all, type: 'googleDrive', googleDriveFileId: 'file' },
        { ...all, type: 'worksheet', worksheet: 'sheet' },
      ])
      expect(body.useDedicatedAttachments).toBe(true)
    })

    it('accepts fifty and refuses more', async () => {
      const links = Array.from({ length: 51 }, (_, index) => ({ url: `https://example.com/${index}` }))
      const { status, body } = await create({ title: 'A', attachments: links })
      expect([status, body.code, body.param]).toEqual([400, 'ASSIGNMENT_ATTACHMENTS_LIMIT', 'attachments'])
      expect((await create({ title: 'A', attachments: [...links.slice(1), links[1]] })).status).toBe(200)
    })

    it.each([
      [{}, 'type'],
      [{ type: 'flat' }, 'score'],
      [{ type: 'link' }, 'url'],
      [{ url: 'javascript:alert(1)' }, 'url'],
      [{ url: 'ftp://example.com' }, 'url'],
      [{ url: 'https://user:secret@example.com' }, 'url'],
      [{ type: 'googleDrive' }, 'googleDriveFileId'],
      [{ type: 'worksheet' }, 'worksheet'],
    ])('refuses %j', async (attachment, field) => {
      const { status, body } = await create({ title: 'A', attachments: [attachment] })
      expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', `attachments.0.${field}`])
    })

    it('accepts only scores that the teacher can read, and write access only if the teacher can write', async () => {
      const ofTheo = await newScore(people.theo)
      const attach = (sharingMode: string) =>
        create({ title: 'A', attachments: [{ score: ofTheo, sharingMode }] })
      const hidden = await attach('read')
      expect([hidden.status, hidden.body.code, hidden.body.param]).toEqual([
        404,
        'SCORE_NOT_FOUND',
        'attachments.0.score',
      ])
      await give(app, { on: 'score', id: ofTheo }, { user: people.tess.id }, 'read')
      expect((await attach('read')).status).toBe(200)
      expect((await attach('write')).body).toMatchObject({
        code: 'SCORE_ACCESS_DENIED',
        param: 'attachments.0.score',
      })
    })

    it('accepts only revisions and parts of the score', async () => {
      const score = await newScore()
      const { id: revision } = (await people.tess.get(`/scores/${score}/revisions/last`)).body
      const attach = (attachment: object) => create({ title: 'A', attachments: [{ score, ...attachment }] })
      expect((await attach({ revision: 'last' })).body.attachments).toMatchObject([{ score, revision }])
      expect((await attach({ revision: schoolClass.id })).body).toMatchObject({
        code: 'REVISION_NOT_FOUND',
        param: 'attachments.0.revision',
      })
      expect((await attach({ partUuid: 'none' })).body.param).toBe('attachments.0.partUuid')
    })
  })

  it('attaches the last revision with the credits that were edited before', async () => {
    const { id } = (await people.tess.post('/scores', emptyPiano('Before'))).body
    await people.tess.put(`/scores/${id}`, { title: 'After' })
    const { body } = await people.tess.post(`/classes/${schoolClass.id}/assignments`, {
      title: 'Waltz',
      attachments: [{ score: id, revision: 'last' }],
    })
    const { bytes } = await people.tess.get(`/scores/${id}/revisions/${body.attachments[0].revision}/xml`)
    expect(Buffer.from(bytes).toString()).toContain('After')
  })

  it('attaches several parts and revisions of a score once each, and grants the highest level among them', async () => {
    const { tess, sam } = people
    const createdScore = await tess.post('/scores', { data: musicXml({ parts: ['Flute', 'Oboe'] }) })
    const score: string = createdScore.body.id
    const { id: revision } = (await tess.get(`/scores/${score}/revisions/last`)).body
    const { body: music } = await tess.get(`/scores/${score}/revisions/last/json`)
    const [flute, oboe]: string[] = music['score-partwise'].part.map(({ $uuid }: { $uuid: string }) => $uuid)
    const attachments = [
      { score, partUuid: flute },
      { score, partUuid: oboe, sharingMode: 'write' },
      { score, revision },
      { score, revision: 'last' },
      { score, partUuid: flute, sharingMode: 'copy' },
    ]
    const { status, body } = await create({ title: 'A', state: 'active', attachments })
    expect([status, body.attachments.length]).toEqual([200, 3])
    expect(body.attachments).toMatchObject(attachments.slice(0, 3))
    expect((await sam.get(`/scores/${score}`)).body.rights.aclWrite).toBe(true)
    const remaining = [attachments[2], attachments[0]]
    const changed = await tess.put(`/classes/${schoolClass.id}/assignments/${body.id}`, {
      attachments: remaining,
    })
    expect(changed.body.attachments).toMatchObject(remaining)
    expect((await sam.get(`/scores/${score}`)).body.rights).toMatchObject({ aclRead: true, aclWrite: false })
  })

  describe('grants access to the attached scores', () => {
    const rightsOf = async (person: Person, score: string) => {
      const { status, body } = await person.get(`/scores/${score}`)
      return status === 200 ? [body.rights.aclRead, body.rights.aclWrite] : status
    }

    it.each([
      ['read', [true, false]],
      ['copy', [true, false]],
      ['performance', [true, false]],
      ['write', [true, true]],
    ])('to %s', async (sharingMode, rights) => {
      const score = await newScore()
      await create({ title: 'A', state: 'active', attachments: [{ score, sharingMode }] })
      expect(await rightsOf(people.sam, score)).toEqual(rights)
      expect(await rightsOf(people.theo, score)).toEqual(rights)
      expect(await rightsOf(people.tara, score)).toBe(404)
    })

    it('but not to students before publication or for teacher-only attachments', async () => {
      const [drafted, scheduled, secret] = [await newScore(), await newScore(), await newScore()]
      await create({ title: 'A', attachments: [{ score: drafted }] })
      await create({
        title: 'A',
        state: 'active',
        scheduledDate: '2999-01-01T00:00:00Z',
        attachments: [{ score: scheduled }],
      })
      await create({ title: 'A', state: 'active', attachments: [{ score: secret, teacherOnly: true }] })
      for (const score of [drafted, scheduled, secret]) {
        expect(await rightsOf(people.sam, score)).toBe(404)
        expect(await rightsOf(people.theo, score)).toEqual([true, false])
      }
    })

    it('only to the students that it is assigned to', async () => {
      const group = await newSubGroup(people.tess, schoolClass, 'Flutes', people.sol)
      const [bySam, byGroup] = [await newScore(), await newScore()]
      await create({
        title: 'A',
        state: 'active',
        attachments: [{ score: bySam }],
        assigneeMode: 'selected',
        assignedStudents: [people.sam.id],
      })
      await create({ title: 'A', state: 'active', attachments: [{ score: byGroup }], classGroupIds: [group] })
      expect([await rightsOf(people.sam, bySam), await rightsOf(people.sol, bySam)]).toEqual([
        [true, false],
        404,
      ])
      expect([await rightsOf(people.sam, byGroup), await rightsOf(people.sol, byGroup)]).toEqual([
        404,
        [true, false],
      ])
    })

    it('without changing access that was shared manually', async () => {
      const score = await newScore()
      await give(app, { on: 'score', id: score }, { user: people.sam.id }, 'write')
      await create({ title: 'A', state: 'active', attachments: [{ score }] })
      expect(await rightsOf(people.sam, score)).toEqual([true, true])
      await people.tess.delete(`/scores/${score}/collaborators/${people.sam.id}`)
      expect(await rightsOf(people.sam, score)).toEqual([true, false])
      expect((await people.tess.get(`/scores/${score}/collaborators`)).body).toHaveLength(1)
    })
  })

  describe('with assignees', () => {
    it('assigns to students and groups of the class', async () => {
      const group = await newSubGroup(people.tess, schoolClass, 'Oboes', people.sol)
      const { body } = await create({
        title: 'A',
        state: 'active',
        assignedStudents: [people.sam.id, people.sam.id],
        classGroupIds: [group, group],
      })
      const groups = [{ id: group, name: 'Oboes', members: [people.sol.id] }]
      expect(await listed(body.id)).toMatchObject({
        assigneeMode: 'selected',
        assignedStudents: [people.sam.id],
        assignedGroups: groups,
      })
      expect(await listed(body.id, people.sam)).toMatchObject({
        assignedStudents: [people.sam.id],
        assignedGroups: [],
      })
      expect(await listed(body.id, people.sol)).toMatchObject({
        assignedStudents: [],
        assignedGroups: groups,
      })
    })

    it('refuses users who are not students of the class, and groups of other classes', async () => {
      const stranger = await create({ title: 'A', assignedStudents: [people.tara.id] })
      expect([stranger.status, stranger.body.param]).toEqual([400, 'assignedStudents'])
      const other = await newClass(app, people.id, { teachers: [people.tara], students: [people.sam] })
      const group = await newSubGroup(people.tara, other, 'Flutes', people.sam)
      const { status, body } = await create({ title: 'A', classGroupIds: [group] })
      expect([status, body.code, body.param]).toEqual([404, 'GROUP_NOT_FOUND', 'classGroupIds'])
    })
  })
})
