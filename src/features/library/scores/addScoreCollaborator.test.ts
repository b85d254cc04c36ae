import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { newClass, newSubGroup } from '../../../../test/support/classes.ts'
import { allowPublicScores } from '../../../../test/support/organizations.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { newGroup, withoutOwner } from '../../../../test/support/sharing.ts'

describeApp('addScoreCollaborator', (app) => {
  let school: School
  let tess: Person
  let theo: Person
  let sam: Person
  let otto: Person
  /** A teacher and a student of an organization that allows public scores. */
  let vera: Person
  let vito: Person

  beforeAll(async () => {
    school = await makeSchool(app)
    ;({ tess, theo, sam, otto } = school)
    const organization = await app.organization('Conservatory', true)
    vera = await app.person('vera', { organization, role: 'teacher' })
    vito = await app.person('vito', { organization })
  })

  const newScore = async (owner = tess, privacy = 'private'): Promise<string> =>
    (await owner.post('/scores', { ...emptyPiano(), privacy })).body.id
  const add = (by: Person, score: string, body: object) => by.post(`/scores/${score}/collaborators`, body)
  const refusal = async (by: Person, score: string, body: object) => {
    const { status, body: answer } = await add(by, score, body)
    return [status, answer.code, answer.param]
  }
  const rightsOf = async (person: Person, score: string) => (await person.get(`/scores/${score}`)).body.rights
  const collaboratorsOf = async (person: Person, score: string) =>
    withoutOwner<{ id: string; user: Person }>((await person.get(`/scores/${score}/collaborators`)).body)

  it('gives read access by default', async () => {
    const id = await newScore()
    const { status, body } = await add(tess, id, { user: theo.id })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      score: id,
      aclRead: true,
      aclWrite: false,
      aclAdmin: false,
      isCollaborator: true,
    })
    expect(body).toMatchObject({ collaboratorType: 'user', user: { id: theo.id, username: 'theo' } })
    expect(Date.parse(body.date)).not.toBeNaN()
    expect(await rightsOf(theo, id)).toEqual({
      aclRead: true,
      aclWrite: false,
      aclAdmin: false,
      isCollaborator: true,
      collaboratorType: 'user',
    })
    expect((await theo.put(`/scores/${id}`, { title: 'His' })).status).toBe(403)
  })

  it.each([
    [{ aclWrite: true }, { aclRead: true, aclWrite: true, aclAdmin: false }],
    [{ aclAdmin: true }, { aclRead: true, aclWrite: true, aclAdmin: true }],
    [
      { aclRead: false, aclWrite: true },
      { aclRead: true, aclWrite: true, aclAdmin: false },
    ],
  ])('grants the weaker rights that a right includes: %j', async (requested, granted) => {
    const id = await newScore()
    expect((await add(tess, id, { user: theo.id, ...requested })).body).toMatchObject(granted)
    expect(await rightsOf(theo, id)).toMatchObject(granted)
    expect((await theo.put(`/scores/${id}`, { title: 'His' })).status).toBe(200)
  })

  it.each([
    [{ aclRead: false }, 'aclRead'],
    [{ aclRead: false, aclWrite: false, aclAdmin: false }, 'aclRead'],
    [{ userEmail: 'somebody@example.com' }, 'userEmail'],
    [{ group: '0123456789abcdef01234567' }, 'group'],
    [{ userToken: 'abc' }, 'userToken'],
    [{ user: undefined }, 'user'],
    [{ user: undefined, userEmail: 'nobody' }, 'userEmail'],
    [{ user: undefined, userEmail: `${'a'.repeat(250)}@b.example` }, 'userEmail'],
  ])(
    'refuses a body that does not name exactly one recipient, or grants no right: %j',
    async (body, param) => {
      const refused = await refusal(tess, await newScore(), { user: theo.id, ...body })
      expect(refused).toEqual([400, 'INVALID_PARAMETER', param])
    },
  )

  it('makes the user who sends the token of an invitation a collaborator, once', async () => {
    const id = await newScore()
    const invited = (await add(tess, id, { userEmail: 'token@school.example', aclWrite: true })).body
    expect(invited).toMatchObject({
      invited: true,
      userToken: expect.stringContaining('partita_invitation_'),
    })
    const { userToken } = invited
    expect((await tess.get(`/scores/${id}/collaborators`)).body.at(-1)).not.toHaveProperty('userToken')
    const other = await newScore()
    expect(await refusal(theo, other, { userToken })).toEqual([404, 'SCORE_NOT_FOUND', undefined])
    expect(await refusal(tess, other, { userToken })).toEqual([404, 'INVITATION_NOT_FOUND', 'userToken'])
    expect(await refusal(tess, id, { userToken })).toEqual([403, 'OWNER_KEEPS_RIGHTS', 'userToken'])
    const { status, body } = await add(theo, id, { userToken, aclAdmin: true })
    expect([status, body.user.id, body.aclWrite, body.aclAdmin]).toEqual([200, theo.id, true, false])
    expect((await theo.put(`/scores/${id}`, { title: 'His' })).status).toBe(200)
    expect(await collaboratorsOf(tess, id)).toMatchObject([{ user: { id: theo.id } }])
    expect(await refusal(sam, id, { userToken })).toEqual([404, 'SCORE_NOT_FOUND', undefined])
  })

  it('accepts only the newest token of an address, from users with whom the owner may share', async () => {
    const id = await newScore()
    const invite = async () => (await add(tess, id, { userEmail: 'again@school.example' })).body.userToken
    const [first, second] = [await invite(), await invite()]
    expect(await refusal(theo, id, { userToken: first })).toEqual([404, 'SCORE_NOT_FOUND', undefined])
    expect((await refusal(school.otto, id, { userToken: second }))[0]).toBe(403)
    expect((await add(theo, id, { userToken: second })).status).toBe(200)
  })

  it('changes the level of an existing collaborator and keeps the position in the list', async () => {
    const id = await newScore()
    const first = (await add(tess, id, { user: theo.id, aclWrite: true })).body
    await add(tess, id, { user: sam.id })
    expect((await add(tess, id, { user: theo.id })).body).toEqual({ ...first, aclWrite: false })
    expect(await rightsOf(theo, id)).toMatchObject({ aclRead: true, aclWrite: false })
    expect((await collaboratorsOf(tess, id)).map(({ user }: { user: Person }) => user.id)).toEqual([
      theo.id,
      sam.id,
    ])
  })

  it('creates one collaborator when several requests add the same user simultaneously', async () => {
    const id = await newScore()
    const holders = [
      { user: theo.id },
      { group: await newGroup(app, school.id, 'Band', sam) },
      { userEmail: 'new@school.example' },
    ]
    const answers = await Promise.all(
      holders.flatMap((holder) => [1, 2, 3].map(() => add(tess, id, { ...holder, aclWrite: true }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const listed = await collaboratorsOf(tess, id)
    expect(listed).toHaveLength(holders.length)
    expect(new Set(answers.map(({ body }) => body.id))).toEqual(
      new Set(listed.map((one: { id: string }) => one.id)),
    )
    expect(
      withoutOwner<{ id: string; user: Person }>((await tess.get(`/scores/${id}`)).body.collaborators),
    ).toEqual(listed)
  })

  describe('with a group as the recipient', () => {
    it('gives access to all members of the group', async () => {
      const id = await newScore()
      const group = await newGroup(app, school.id, 'Choir', sam, school.sol)
      const { body } = await add(tess, id, { group, aclWrite: true })
      expect(body).toMatchObject({ collaboratorType: 'group', aclWrite: true })
      expect(body.group).toMatchObject({ id: group, name: 'Choir', usersCount: 2, organization: school.id })
      expect(await rightsOf(sam, id)).toMatchObject({
        aclWrite: true,
        isCollaborator: true,
        collaboratorType: 'group',
      })
      expect((await theo.get(`/scores/${id}`)).status).toBe(404)
    })

    it('finds only groups of the caller’s organization', async () => {
      const id = await newScore()
      const foreign = await newGroup(app, await app.organization('Elsewhere'), 'Choir')
      for (const group of [foreign, '0123456789abcdef01234567', 'choir']) {
        expect(await refusal(tess, id, { group })).toEqual([404, 'GROUP_NOT_FOUND', 'group'])
      }
      expect(await refusal(otto, await newScore(otto), { group: foreign })).toEqual([
        404,
        'GROUP_NOT_FOUND',
        'group',
      ])
    })
  })

  it('accepts only a group that the caller can see', async () => {
    const { tara, sam, sol } = school
    const schoolClass = await newClass(app, school.id, { teachers: [tara], students: [sam, sol] })
    const subGroup = await newSubGroup(tara, schoolClass, 'Brass', sam)
    const generic = await newGroup(app, school.id, 'Board')
    const visibleByViewer = [
      [tara, [schoolClass.teachersGroup, schoolClass.studentsGroup, subGroup, generic]],
      [sam, [schoolClass.teachersGroup, schoolClass.studentsGroup, subGroup]],
      [sol, [schoolClass.teachersGroup, schoolClass.studentsGroup]],
      [tess, [generic]],
    ] as const
    for (const [person, visible] of visibleByViewer) {
      const id = await newScore(person)
      for (const group of [schoolClass.teachersGroup, schoolClass.studentsGroup, subGroup, generic]) {
        if ((visible as readonly string[]).includes(group))
          expect((await add(person, id, { group })).status).toBe(200)
        else expect(await refusal(person, id, { group })).toEqual([404, 'GROUP_NOT_FOUND', 'group'])
      }
    }
  })

  describe('with the owner as the recipient', () => {
    it('refuses to change the rights of the owner', async () => {
      const id = await newScore()
      await add(tess, id, { user: theo.id, aclAdmin: true })
      for (const by of [tess, theo]) {
        expect(await refusal(by, id, { user: tess.id })).toEqual([403, 'OWNER_KEEPS_RIGHTS', 'user'])
      }
      expect(await refusal(tess, id, { user: 'me' })).toEqual([403, 'OWNER_KEEPS_RIGHTS', 'user'])
      expect(await rightsOf(tess, id)).toMatchObject({ aclAdmin: true, collaboratorType: 'owner' })
    })

    it('recognizes the owner by the e-mail address', async () => {
      const tina = await app.person('tina', {
        organization: school.id,
        role: 'teacher',
        email: 'tina@school.example',
      })
      const id = await newScore(tina)
      const refused = await refusal(tina, id, { userEmail: 'Tina@School.example' })
      expect(refused).toEqual([403, 'OWNER_KEEPS_RIGHTS', 'userEmail'])
    })
  })

  it('requires an administrator of the score', async () => {
    const id = await newScore()
    await add(tess, id, { user: theo.id, aclAdmin: true })
    await add(tess, id, { user: school.tara.id, aclWrite: true })
    expect(await refusal(school.tara, id, { user: sam.id })).toEqual([403, 'SCORE_ACCESS_DENIED', undefined])
    expect(await refusal(sam, id, { user: sam.id })).toEqual([404, 'SCORE_NOT_FOUND', undefined])
    expect((await add(theo, id, { user: sam.id })).status).toBe(200)
  })

  it('refuses a score that is in the trash', async () => {
    const id = await newScore()
    await tess.delete(`/scores/${id}`)
    expect(await refusal(tess, id, { user: theo.id })).toEqual([409, 'SCORE_TRASHED', undefined])
  })

  describe('across organizations', () => {
    it('finds only users whom the caller can see', async () => {
      const ofOtto = await newScore(otto)
      for (const user of [tess.id, '0123456789abcdef01234567', 'tess']) {
        expect(await refusal(otto, ofOtto, { user })).toEqual([404, 'USER_NOT_FOUND', 'user'])
      }
      expect(await refusal(tess, await newScore(), { user: school.abel.id })).toEqual([
        404,
        'USER_NOT_FOUND',
        'user',
      ])
    })

    it('refuses to share a score of a closed organization with outsiders', async () => {
      const id = await newScore()
      for (const { id: user } of [otto, vera]) {
        expect(await refusal(tess, id, { user })).toEqual([403, 'COLLABORATOR_OUT_OF_REACH', 'user'])
      }
    })

    it('refuses to add a member of a closed organization to the score of an outsider', async () => {
      const organization = await app.organization('Academy', true)
      const [anna, alma] = await Promise.all(
        ['anna', 'alma'].map((name) => app.person(name, { organization, role: 'teacher' })),
      )
      const id = await newScore(otto)
      await add(otto, id, { user: anna?.id, aclAdmin: true })
      await allowPublicScores(app, organization, false)
      const group = await newGroup(app, organization, 'Teachers', alma as Person)
      for (const body of [{ user: alma?.id }, { group }]) {
        const [param] = Object.keys(body)
        expect(await refusal(anna as Person, id, body)).toEqual([403, 'COLLABORATOR_OUT_OF_REACH', param])
      }
    })

    it('allows sharing between open organizations and individual accounts', async () => {
      const ofVera = await newScore(vera)
      expect((await add(vera, ofVera, { user: otto.id, aclWrite: true })).status).toBe(200)
      expect(await rightsOf(otto, ofVera)).toMatchObject({ aclWrite: true, isCollaborator: true })
      const ofOtto = await newScore(otto)
      expect((await add(otto, ofOtto, { user: vera.id, aclAdmin: true })).status).toBe(200)
      expect((await add(vera, ofOtto, { user: (await app.person('olga')).id })).status).toBe(200)
    })

    it('refuses sharing between a student and a user outside the student’s organization', async () => {
      const students = [403, 'STUDENTS_SHARE_WITHIN_ORGANIZATION']
      const ofVito = await newScore(vito)
      expect(await refusal(vito, ofVito, { user: otto.id })).toEqual([...students, 'user'])
      expect(await refusal(vito, ofVito, { userEmail: 'new@example.com' })).toEqual([
        ...students,
        'userEmail',
      ])
      expect(await refusal(otto, await newScore(otto), { user: vito.id })).toEqual([...students, 'user'])
      await add(vito, ofVito, { user: vera.id, aclAdmin: true })
      expect(await refusal(vera, ofVito, { user: otto.id })).toEqual([...students, 'user'])
      const ofSam = await newScore(sam)
      expect(await refusal(sam, ofSam, { user: vera.id })).toEqual([...students, 'user'])
      expect((await add(sam, ofSam, { user: school.sol.id })).status).toBe(200)
      expect((await add(vera, await newScore(vera), { user: vito.id })).status).toBe(200)
    })
  })
})
