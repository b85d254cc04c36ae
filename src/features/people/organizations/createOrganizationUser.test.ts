import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import { updateUser } from '../users/store.ts'
import { updateOrganization } from './store.ts'

const path = '/organizations/users'
const password = 'correct horse'

describeApp('createOrganizationUser', (app) => {
  let people: School
  let anna: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    anna = await app.person('anna', { organization: people.id, role: 'accountAdmin' })
  })

  const setSeats = (max_seats: number | null) =>
    app.ctx.transaction((tx) => updateOrganization(tx, people.id, { max_seats }))

  it('creates a student by default, and an event in the audit log', async () => {
    const request = {
      username: 'pia',
      password,
      firstname: 'Pia',
      lastname: 'Pupil',
      email: 'pia@example.com',
    }
    const { status, body } = await people.ada.post(path, request)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      username: 'pia',
      firstname: 'Pia',
      lastname: 'Pupil',
      email: 'pia@example.com',
      organization: people.id,
      organizationRole: 'user',
      license: { id: expect.any(String), mode: 'site', source: 'order', active: true },
      groups: [],
    })
    expect(await auditOf(app, body.id)).toEqual([
      {
        organization: people.id,
        actor: people.ada.id,
        action: 'user.created',
        details: { role: 'user' },
      },
    ])
  })

  it('refuses a username that is taken, regardless of case and accents', async () => {
    const { status, body } = await people.ada.post(path, { username: 'OTTO', password })
    expect([status, body.code, body.param]).toEqual([409, 'USERNAME_TAKEN', 'username'])
  })

  it.each([
    ['username', { username: 'me', password }],
    ['username', { username: 'two words', password }],
    ['username', { username: 'x'.repeat(31), password }],
    ['username', { password }],
    ['password', { username: 'polly', password: 'short' }],
    ['password', { username: 'polly', password: 'secret1' }],
    ['password', { username: 'polly', password: 'password1' }],
    ['password', { username: 'polly', password: 'a long one', role: 'admin' }],
    ['email', { username: 'polly', password, email: 'nowhere' }],
    ['firstname', { username: 'polly', password, firstname: 'x'.repeat(61) }],
    ['role', { username: 'polly', password, role: 'pupil' }],
  ])('names the invalid %s', async (param, body) => {
    const refused = await people.ada.post(path, body)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })

  it('refuses a role above the caller’s', async () => {
    const { status, body } = await people.ada.post(path, { username: 'boss', password, role: 'accountAdmin' })
    expect([status, body.code, body.param]).toEqual([403, 'ROLE_OUT_OF_REACH', 'role'])
    expect((await anna.post(path, { username: 'boss', password, role: 'accountAdmin' })).status).toBe(200)
  })

  it('gives the new member what was shared with the address', async () => {
    const { body: score } = await people.tess.post('/scores', emptyPiano())
    await people.tess.post(`/scores/${score.id}/collaborators`, { userEmail: 'ida@example.com' })
    const { body: ida } = await people.ada.post(path, { username: 'ida', password, email: 'IDA@example.com' })
    const { body } = await people.tess.get(`/scores/${score.id}/collaborators`)
    expect(body.map(({ user }: { user: { id: string } }) => user?.id)).toContain(ida.id)
  })

  it('gives the last seat to one of two simultaneous requests', async () => {
    const seats = (await people.ada.get(`${path}/count`)).body
    await setSeats(seats + 1)
    const responses = await Promise.all(
      ['ben', 'bea'].map((username) => people.ada.post(path, { username, password })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 402])
    expect(responses.find(({ status }) => status === 402)?.body.code).toBe('SEATS_EXHAUSTED')
    await setSeats(null)
  })

  it('does not count test students and removed members as seats', async () => {
    const [tester, removed] = await Promise.all(
      ['tester', 'gone'].map((username) => app.person(username, { organization: people.id })),
    )
    const seats = (await people.ada.get(`${path}/count`)).body
    await setSeats(seats)
    expect((await people.ada.post(path, { username: 'nils', password })).status).toBe(402)
    await app.ctx.transaction((tx) => updateUser(tx, tester?.id ?? '', { is_test_student: 1 }))
    expect((await people.ada.post(path, { username: 'nils', password })).status).toBe(200)
    await people.ada.delete(`${path}/${removed?.id}`)
    expect((await people.ada.post(path, { username: 'nele', password })).status).toBe(200)
    expect((await people.ada.post(path, { username: 'neo', password })).status).toBe(402)
    await setSeats(null)
  })

  it.each(['tess', 'sam', 'otto'] as const)(
    'is refused for %s, who is not an administrator',
    async (name) => {
      expect((await people[name].post(path, { username: 'polly', password })).status).toBe(403)
      // The role is checked before the body.
      expect((await people[name].post(path, {})).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
    },
  )
})
