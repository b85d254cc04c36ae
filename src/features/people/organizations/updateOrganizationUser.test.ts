import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { newApp } from '../../../../test/support/collections.ts'
import { newClass, newSubGroup, setClassState } from '../../../../test/support/classes.ts'
import { sessionClient } from '../../../../test/support/client.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'

const path = '/organizations/users'
const password = 'battery staple'

describeApp('updateOrganizationUser', (app) => {
  let people: School
  let anna: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    anna = await app.person('anna', { organization: people.id, role: 'accountAdmin' })
  })

  const member = (username: string, role: 'user' | 'teacher' | 'admin' = 'user') =>
    app.person(username, { organization: people.id, role })
  const update = (person: { id: string }, body: object, by: Person = people.ada) =>
    by.put(`${path}/${person.id}`, body)
  const membersOf = async (group: string) =>
    (await people.ada.get(`/groups/${group}/users`)).body.map(({ id }: { id: string }) => id)

  it('allows the token of an app only lower roles, so that an app cannot take over the account of its user', async () => {
    const acting = await newApp(app, people.ada, 'Planner')
    for (const user of ['me', people.ada.id]) {
      const { status, body } = await acting.put(`/organizations/users/${user}`, { password: 'another one' })
      expect([status, body.code]).toEqual([403, 'ROLE_OUT_OF_REACH'])
    }
    expect((await acting.put(`/organizations/users/${people.sam.id}`, { lastname: 'Singer' })).status).toBe(
      200,
    )
    const account = { username: 'peer', password: 'correct horse', role: 'admin' }
    expect((await acting.post('/organizations/users', account)).body.code).toBe('ROLE_OUT_OF_REACH')
    const link = await acting.post(`/organizations/users/${people.sam.id}/signinLink`, {})
    expect(link.body.code).toBe('ROLE_OUT_OF_REACH')
  })

  it('changes names and address, and leaves other fields as they are', async () => {
    const pia = await member('pia')
    const { status, body } = await update(pia, { firstname: 'Pia', email: 'pia@example.com' })
    expect([status, body.username, body.firstname, body.email]).toEqual([
      200,
      'pia',
      'Pia',
      'pia@example.com',
    ])
    const again = await update(pia, { username: 'pia2', lastname: 'Pupil' })
    expect(again.body).toMatchObject({ username: 'pia2', name: 'Pia Pupil', email: 'pia@example.com' })
    expect((await people.ada.get(`${path}?q=pupil%20pia2%20example`)).body).toHaveLength(1)
    expect((await auditOf(app, pia.id)).map(({ action, details }) => [action, details])).toEqual([
      ['user.updated', { fields: ['firstname', 'email'] }],
      ['user.updated', { fields: ['username', 'lastname'] }],
    ])
  })

  it('refuses a username that is taken or invalid', async () => {
    const { status, body } = await update(people.sam, { username: 'Otto' })
    expect([status, body.code, body.param]).toEqual([409, 'USERNAME_TAKEN', 'username'])
    expect((await update(people.sam, { username: 'me' })).body.param).toBe('username')
    expect((await update(people.sam, { email: 'nowhere' })).body.param).toBe('email')
  })

  it('ends all tokens immediately when it changes the password', async () => {
    const lea = await member('lea')
    expect((await lea.get('/me')).status).toBe(200)
    expect((await update(lea, { password })).status).toBe(200)
    expect((await lea.get('/me')).status).toBe(401)
    expect((await auditOf(app, lea.id)).map(({ action, details }) => [action, details])).toEqual([
      ['user.password-changed', { passwordOrigin: 'administrator' }],
    ])
  })

  it('applies a new role immediately', async () => {
    const kim = await member('kim', 'teacher')
    expect((await kim.get(`${path}/count`)).status).toBe(403)
    expect((await update(kim, { organizationRole: 'admin' })).body.organizationRole).toBe('admin')
    expect((await kim.get(`${path}/count`)).status).toBe(200)
  })

  it('refuses members above the caller’s role, and roles above it', async () => {
    expect((await update(anna, { firstname: 'Anna' })).body.code).toBe('ROLE_OUT_OF_REACH')
    const { status, body } = await update(people.theo, { organizationRole: 'accountAdmin' })
    expect([status, body.code, body.param]).toEqual([403, 'ROLE_OUT_OF_REACH', 'organizationRole'])
    expect((await update(people.ada, { firstname: 'Ada' }, anna)).status).toBe(200)
  })

  it('keeps the last administrator of an organization', async () => {
    const { status, body } = await update(people.abel, { organizationRole: 'teacher' }, people.abel)
    expect([status, body.code]).toEqual([409, 'LAST_ADMINISTRATOR'])
    expect((await update(anna, { organizationRole: 'admin' }, anna)).body.code).toBe('LAST_ADMINISTRATOR')
  })

  it('keeps one of two administrators who resign simultaneously', async () => {
    const organization = await app.organization('Small school')
    const admins = await Promise.all(
      ['ike', 'ivy'].map((username) => app.person(username, { organization, role: 'admin' })),
    )
    const resigned = await Promise.all(admins.map((one) => update(one, { organizationRole: 'teacher' }, one)))
    expect(resigned.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('moves a student who becomes a teacher to the teachers of the class', async () => {
    const max = await member('max')
    const schoolClass = await newClass(app, people.id, {
      teachers: [people.tess],
      students: [max, people.sam],
    })
    const altos = await newSubGroup(people.tess, schoolClass, 'Altos', max, people.sam)
    await update(max, { organizationRole: 'teacher' })
    expect(await membersOf(schoolClass.teachersGroup)).toContain(max.id)
    expect(await membersOf(schoolClass.studentsGroup)).toEqual([people.sam.id])
    expect(await membersOf(altos)).toEqual([people.sam.id])
    await update(max, { organizationRole: 'user' })
    expect(await membersOf(schoolClass.teachersGroup)).toEqual([people.tess.id])
    expect((await membersOf(schoolClass.studentsGroup)).sort()).toEqual([max.id, people.sam.id].sort())
  })

  it('transfers the classes of a teacher who becomes a student', async () => {
    const [una, ugo] = [await member('una', 'teacher'), await member('ugo', 'teacher')]
    const shared = await newClass(app, people.id, { teachers: [una, ugo] })
    const alone = await newClass(app, people.id, { teachers: [una] })
    await update(una, { organizationRole: 'user' })
    expect((await people.ada.get(`/classes/${shared.id}`)).body.owner).toBe(ugo.id)
    expect((await people.ada.get(`/classes/${alone.id}`)).body.owner).toBe(people.ada.id)
    expect(await membersOf(alone.teachersGroup)).toEqual([people.ada.id])
  })

  it('allows teachers to change only the password, of students of their classes', async () => {
    const [leo, lis] = [await member('leo'), await member('lis')]
    const schoolClass = await newClass(app, people.id, { teachers: [people.tara], students: [leo] })
    for (const [body, person] of [
      [{ firstname: 'Leo' }, leo],
      [{ password, firstname: 'Leo' }, leo],
      [{}, leo],
      [{ password }, lis],
      [{ password }, people.theo],
      [{ password }, people.otto],
    ] as const) {
      const { status, body: refused } = await update(person, body, people.tara)
      expect([status, refused.code]).toEqual([403, 'ORGANIZATION_ACCESS_DENIED'])
    }
    expect((await update(leo, { password }, people.tara)).status).toBe(200)
    expect((await leo.get('/me')).status).toBe(401)
    await setClassState(app, schoolClass, 'archived')
    expect((await update(leo, { password }, people.tara)).status).toBe(403)
    expect((await update(leo, { password }, people.sam)).status).toBe(403)
  })

  it('requires a password that fits the role that the member has or gets', async () => {
    const petra = await member('petra')
    const change = async (body: object) => {
      const refused = await update(petra, body)
      return [refused.status, refused.body.code, refused.body.param]
    }
    expect(await change({ password: 'secret1' })).toEqual([400, 'INVALID_PARAMETER', 'password'])
    expect(await change({ password: 'password1' })).toEqual([400, 'COMMON_PASSWORD', 'password'])
    expect(await change({ password: 'Petra-2030' })).toEqual([400, 'PASSWORD_LIKE_NAME', 'password'])
    const raised = { password: 'eleven char', organizationRole: 'admin' }
    expect(await change(raised)).toEqual([400, 'INVALID_PARAMETER', 'password'])
    expect((await update(petra, { ...raised, password: 'twelve chars' })).status).toBe(200)
    expect(await change({ password: 'eleven char' })).toEqual([400, 'INVALID_PARAMETER', 'password'])
  })

  it('refuses a session that changes the password or address of its own account without proving the password', async () => {
    const session = sessionClient(await signedIn(app, people.ada))
    for (const user of ['me', people.ada.id]) {
      for (const change of [{ password: 'another one' }, { email: 'other@school.example' }]) {
        const { status, body } = await session.put(`/organizations/users/${user}`, change)
        expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
      }
    }
    const pia = await member('pia')
    expect((await session.put(`${path}/${pia.id}`, { password: 'another one' })).status).toBe(200)
  })

  it('returns 404 for a user of another organization', async () => {
    for (const person of [people.abel, people.otto, { id: '0123456789abcdef01234567' }]) {
      expect((await update(person, { firstname: 'X' })).body.code).toBe('USER_NOT_FOUND')
    }
  })
})
