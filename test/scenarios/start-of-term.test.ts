import { FlatError, type FlatClient, FlatNotFoundError } from 'flat-api'
import { beforeAll, expect, it } from 'vitest'
import { importRoster } from '../../src/features/people/roster/import.ts'
import { describeApp, type Person } from '../support/app.ts'
import { recordingClients, scenarioOperations } from '../support/official-client.ts'
import { rosterFolder } from '../support/rosters.ts'
import { musicXml } from '../support/scores.ts'

/** The scopes of a student's app. */
const studentScopes = ['account.education_profile', 'edu.classes', 'scores', 'collections'] as const

describeApp('the start of a school term with the official client', (app) => {
  const { clientOf, called } = recordingClients(app)
  const rosters = rosterFolder()
  let organization: string
  let ada: Person
  let ofAda: FlatClient
  /** Three teachers and sixty students. */
  let teachers: { id: string; client: FlatClient }[]
  let students: { id: string; client: FlatClient }[]
  /**
   * Two classes of the first teacher and one of each other teacher. Each class has a quarter of the students.
   */
  let classes: { id: string; code: string; of: FlatClient; pupils: typeof students }[]
  let strings: string
  let score: string

  beforeAll(async () => {
    organization = await app.organization('School')
    ada = await app.person('ada', { organization, role: 'admin' })
    ofAda = clientOf(ada)
  })

  /** Creates a client that acts for a member with a token issued by the administrator. */
  async function actingFor(id: string) {
    const organizationUserAccessTokenCreation = { scopes: [...studentScopes] }
    const response = await ofAda.organization.createOrganizationUserAccessToken({
      user: id,
      organizationUserAccessTokenCreation,
    })
    return { id, client: clientOf({ token: response.token ?? '' }) }
  }
  const names = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `${name}${index + 1}`)
  async function importLines(lines: readonly string[], state: 'active' | 'inactive' = 'active') {
    const path = await rosters.file(...lines)
    return importRoster(app.ctx, { path, organization, isDryRun: false, state, onProgress() {} })
  }
  async function idsOf(role: 'teacher' | 'user') {
    const members = await ofAda.organization.listOrganizationUsers({
      role: [role],
      sort: 'creationDate',
      direction: 'asc',
      limit: 100,
    })
    return members.map(({ id }) => id)
  }

  it('imports three teachers and sixty students from a roster and issues tokens for them', async () => {
    const lines = [
      'id,username,firstname,role',
      ...names(2, 'teacher').map((name) => `T-${name},${name},${name},teacher`),
      ...names(60, 'student').map((name) => `S-${name},${name},${name},student`),
    ]
    expect((await importLines(lines)).people).toMatchObject({ created: 62, changed: 0 })
    expect((await importLines(lines)).people).toMatchObject({ created: 0, changed: 0, unchanged: 62 })
    // One teacher joins after the import.
    const body = {
      username: 'teacher3',
      firstname: 'teacher3',
      password: 'correct horse',
      role: 'teacher',
    } as const
    await ofAda.organization.createOrganizationUser({ body })
    teachers = await Promise.all((await idsOf('teacher')).map(actingFor))
    students = await Promise.all((await idsOf('user')).map(actingFor))
    const [first] = students
    expect(await first?.client.account.getAuthenticatedUser()).toMatchObject({
      id: first?.id,
      organization,
      organizationRole: 'user',
      groups: [],
    })
  })

  it('counts and searches the members', async () => {
    const { organization: people } = ofAda
    expect(await people.countOrgaUsers({ role: ['user'] })).toBe(60)
    expect(await people.countOrgaUsers({ role: ['teacher', 'admin'] })).toBe(4)
    const members = await people.listOrganizationUsers({ q: 'student60' })
    expect(members.map(({ username }) => username)).toEqual(['student60'])
    const listed: string[] = []
    for await (const { id } of ofAda.paginate<{ id: string }>('listOrganizationUsers', { role: ['user'] })) {
      listed.push(id)
    }
    expect(listed.sort()).toEqual(students.map(({ id }) => id).sort())
  })

  it('creates four classes in which the students enroll by code', async () => {
    const owners = [0, 0, 1, 2].map((index) => teachers[index]?.client as FlatClient)
    const opened = await Promise.all(
      owners.map((of, index) =>
        of.classes.createClass({ body: { name: `Class ${index + 1}`, level: 'high' } }),
      ),
    )
    classes = opened.map(({ id, enrollmentCode = '' }, index) => ({
      id,
      code: enrollmentCode,
      of: owners[index] as FlatClient,
      pupils: students.slice(index * 15, index * 15 + 15),
    }))
    for (const { code, pupils } of classes) {
      expect(code).toMatch(/^[a-z0-9]{8}$/)
      await Promise.all(pupils.map(({ client }) => client.classes.enrollClass({ enrollmentCode: code })))
    }
    const [first] = classes
    const seen = await first?.of.classes.getClass({ _class: first.id })
    expect(seen).toMatchObject({
      state: 'active',
      teachersGroup: { usersCount: 1, readOnly: true },
      studentsGroup: { usersCount: 15, readOnly: true },
    })
    const classList = await first?.pupils[0]?.client.classes.listClasses()
    expect(classList?.map(({ id, enrollmentCode }) => [id, enrollmentCode])).toEqual([[first?.id, undefined]])
    const none = students[0]?.client.classes.enrollClass({ enrollmentCode: 'no-such1' })
    await expect(none).rejects.toBeInstanceOf(FlatNotFoundError)
  })

  it('adds a second teacher to a class and renames a class', async () => {
    const [first] = classes
    const colleague = teachers[2]
    if (!first || !colleague) throw new Error('no class')
    await expect(colleague.client.classes.getClass({ _class: first.id })).rejects.toBeInstanceOf(
      FlatNotFoundError,
    )
    await first.of.classes.addClassUser({ _class: first.id, user: colleague.id })
    await colleague.client.classes.updateClass({ _class: first.id, body: { name: 'Orchestra' } })
    expect(await first.of.classes.getClass({ _class: first.id })).toMatchObject({
      name: 'Orchestra',
      teachersGroup: { usersCount: 2 },
    })
  })

  it('divides a class into groups', async () => {
    const [first] = classes
    if (!first) throw new Error('no class')
    const [sam, sol, suri] = first.pupils.map(({ id }) => id) as [string, string, string]
    const { groups } = first.of
    const type = 'classStudentsSubGroup'
    const classroom = first.id
    const group = await groups.createGroup({ groupCreation: { type, classroom, members: [sam, sol] } })
    expect(group).toMatchObject({ name: 'Group 1', usersCount: 2, readOnly: false, classroom })
    strings = group.id
    await groups.renameGroup({ group: strings, renameGroupRequest: { name: 'Strings' } })
    const twice = groups.createGroup({ groupCreation: { type, classroom, name: 'strings' } })
    await expect(twice).rejects.toSatisfy((error) => error instanceof FlatError && error.status === 409)
    expect(await groups.addGroupUser({ group: strings, addGroupUserRequest: { user: suri } })).toEqual({
      user: suri,
    })
    await groups.removeGroupUser({ group: strings, user: sol })
    const members = await groups.listGroupUsers({ group: strings })
    expect(members.map(({ id, classRole }) => [id, classRole]).sort()).toEqual([
      [sam, 'student'],
      [suri, 'student'],
    ])
    const brass = await groups.createGroup({ groupCreation: { type, classroom, name: 'Brass' } })
    expect((await groups.listGroups({ type, classroom })).map(({ name }) => name)).toEqual([
      'Brass',
      'Strings',
    ])
    await groups.deleteGroup({ group: brass.id })
    const seen = await first.pupils[0]?.client.groups.listGroups({ type, classroom })
    expect(seen?.map(({ id }) => id)).toEqual([strings])
    const hidden = first.pupils[1]?.client.groups.getGroupDetails({ group: strings })
    await expect(hidden).rejects.toBeInstanceOf(FlatNotFoundError)
  })

  it('shares a score with a group, whose members find it', async () => {
    const [first, second] = classes
    if (!first || !second) throw new Error('no class')
    const data = musicXml({ title: 'Canon' })
    score = (await first.of.scores.createScore({ body: { data, privacy: 'private' } })).id
    const { studentsGroup } = await first.of.classes.getClass({ _class: first.id })
    const group = studentsGroup?.id ?? ''
    await first.of.scores.addScoreCollaborator({ score, body: { group } })
    for (const { client } of first.pupils.slice(0, 2)) {
      expect((await client.groups.getGroupScores({ group })).map(({ id }) => id)).toEqual([score])
      const shared = await client.collections.listCollectionScores({ collection: 'collaborations' })
      expect(shared.map(({ id }) => id)).toEqual([score])
    }
    const stranger = second.pupils[0]?.client
    await expect(stranger?.scores.getScore({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
    await expect(stranger?.groups.getGroupScores({ group })).rejects.toBeInstanceOf(FlatNotFoundError)
  })

  it('archives a class and restores it', async () => {
    const second = classes[1]
    if (!second) throw new Error('no class')
    const { id: _class, of } = second
    expect(await of.classes.archiveClass({ _class })).toMatchObject({ state: 'archived' })
    const late = of.classes.updateClass({ _class, body: { name: 'Later' } })
    await expect(late).rejects.toSatisfy((error) => error instanceof FlatError && error.status === 409)
    expect((await of.classes.listClasses({ state: 'archived' })).map(({ id }) => id)).toEqual([_class])
    expect(await of.classes.unarchiveClass({ _class })).toMatchObject({ state: 'active' })
  })

  it('imports an inactive class with known members, and activates it', async () => {
    const line = (name: string, role: string) =>
      `${role === 'teacher' ? 'T' : 'S'}-${name},${name},${role},Orchestra pit,O1,`
    const head = 'id,username,role,class,classid,group'
    const pupils = names(3, 'student')
    const lines = [
      head,
      line('teacher2', 'teacher'),
      ...pupils.map((name) => `${line(name, 'student')}Winds`),
    ]
    const report = await importLines(lines, 'inactive')
    expect(report).toMatchObject({
      people: { created: 0, changed: 0, unchanged: 4 },
      classes: { created: 1 },
      groups: { created: 1 },
    })
    const of = teachers[1]?.client as FlatClient
    const [schoolClass] = await of.classes.listClasses({ state: 'inactive' })
    const _class = schoolClass?.id ?? ''
    const pupil = students[0]?.client
    await expect(pupil?.classes.getClass({ _class })).rejects.toBeInstanceOf(FlatNotFoundError)
    expect(await of.classes.activateClass({ _class })).toMatchObject({
      state: 'active',
      studentsGroup: { usersCount: 3 },
    })
    expect(await pupil?.classes.getClass({ _class })).toMatchObject({ id: _class, name: 'Orchestra pit' })
    const [group] = await of.groups.listGroups({ type: 'classStudentsSubGroup', classroom: _class })
    expect(group).toMatchObject({ name: 'Winds', usersCount: 3 })
    // The class has a new name in the next import.
    const renamed = lines.map((text) => text.replace('Orchestra pit', 'Orchestra'))
    expect((await importLines(renamed)).classes).toMatchObject({ changed: 1, created: 0 })
    expect(await of.classes.getClass({ _class })).toMatchObject({ name: 'Orchestra', state: 'active' })
  })

  it('creates a test student for a class', async () => {
    const fourth = classes[3]
    if (!fourth) throw new Error('no class')
    const { id: _class, of } = fourth
    const student = await of.classes.createTestStudentAccount({ _class })
    expect((await of.classes.createTestStudentAccount({ _class })).id).toBe(student.id)
    expect((await of.classes.createTestStudentAccount({ _class, reset: true })).id).not.toBe(student.id)
    expect((await of.classes.getClass({ _class })).studentsGroup?.usersCount).toBe(16)
    expect(await ofAda.organization.countOrgaUsers({ testAccounts: 'only' })).toBe(1)
  })

  it('removes a student’s access to the class, its scores and its groups when the student leaves', async () => {
    const [first] = classes
    const pupil = first?.pupils[0]
    if (!first || !pupil) throw new Error('no class')
    const { client, id: user } = pupil
    await client.classes.deleteClassUser({ _class: first.id, user })
    await expect(client.classes.getClass({ _class: first.id })).rejects.toBeInstanceOf(FlatNotFoundError)
    await expect(client.scores.getScore({ score })).rejects.toBeInstanceOf(FlatNotFoundError)
    await expect(client.groups.getGroupDetails({ group: strings })).rejects.toBeInstanceOf(FlatNotFoundError)
    expect((await first.of.groups.listGroupUsers({ group: strings })).map(({ id }) => id)).not.toContain(user)
  })

  it('invites a colleague and withdraws the invitation', async () => {
    const { organization: people } = ofAda
    const invitation = await people.createOrganizationInvitation({ body: { email: 'new@example.com' } })
    expect(invitation).toMatchObject({ organization, organizationRole: 'teacher', email: 'new@example.com' })
    expect((await people.listOrganizationInvitations()).map(({ id }) => id)).toEqual([invitation.id])
    await people.removeOrganizationInvitation({ invitation: invitation.id ?? '' })
    expect(await people.listOrganizationInvitations()).toEqual([])
  })

  it('creates a sign-in link for a student', async () => {
    const user = students[5]?.id ?? ''
    const userSigninLinkCreation = { destinationPath: '/classes' }
    const link = await ofAda.organization.createOrganizationUserSigninLink({ user, userSigninLinkCreation })
    expect(link.url).toContain(link.token)
    expect(Date.parse(String(link.expirationDate))).toBeGreaterThan(app.ctx.clock.now())
  })

  it('renames one student and removes another', async () => {
    const { organization: people } = ofAda
    const [changed, removed] = students.slice(20) as [(typeof students)[0], (typeof students)[0]]
    expect(
      await people.updateOrganizationUser({ user: changed.id, body: { lastname: 'Other' } }),
    ).toMatchObject({
      id: changed.id,
      lastname: 'Other',
    })
    await people.removeOrganizationUser({ user: removed.id })
    expect(await people.countOrgaUsers({ role: ['user'], testAccounts: 'exclude' })).toBe(59)
    await expect(removed.client.account.getAuthenticatedUser()).rejects.toSatisfy(
      (error) => error instanceof FlatError && error.status === 401,
    )
  })

  it('has called every operation on its list', () => {
    expect([...called]).toEqual(expect.arrayContaining([...scenarioOperations['start-of-term']]))
  })
})
