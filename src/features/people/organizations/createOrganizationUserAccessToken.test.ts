import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { clientOf } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'

const pathOf = (user: string) => `/organizations/users/${user}/accessToken`
const scopes = ['account.education_profile', 'scores']

describeEachDatabase('createOrganizationUserAccessToken', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let anna: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    anna = await app.person('anna', { organization: people.id, role: 'accountAdmin' })
  })

  const tokenFor = async (person: Person, by = people.ada): Promise<string> =>
    (await by.post(pathOf(person.id), { scopes })).body.token
  const statusOf = async (token: string) => (await clientOf(app.url, token).get('/me')).status

  it('creates a token that acts for the member, with the requested scopes only', async () => {
    const { status, headers, body } = await people.ada.post(pathOf(people.tess.id), {
      scopes: [...scopes, 'scores'],
    })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: expect.any(String),
      token: expect.stringMatching(/^partita_pat_\w{46}$/),
      issuedDate: new Date(clock.now()).toISOString(),
      expirationDate: new Date(clock.now() + 24 * 60 * minute).toISOString(),
      scopes,
    })
    const tess = clientOf(app.url, body.token)
    expect((await tess.get('/me')).body.username).toBe('tess')
    const score = await tess.post('/scores', { ...emptyPiano(), privacy: 'private' })
    expect((await people.tess.get(`/scores/${score.body.id}`)).status).toBe(200)
    expect((await tess.get('/collections')).body.code).toBe('INSUFFICIENT_SCOPE')
    const rows = await app.ctx.db.read
      .selectFrom('access_tokens')
      .selectAll()
      .where('id', '=', body.id)
      .execute()
    expect(rows.map(({ user_id, created_by }) => [user_id, created_by])).toEqual([
      [people.tess.id, people.ada.id],
    ])
    expect(JSON.stringify(rows)).not.toContain(body.token)
  })

  it('acts for an administrator without the administrator’s powers over other members', async () => {
    const classes = await people.tess.post('/classes', { name: 'Choir' })
    const { token } = (await anna.post(pathOf(people.ada.id), { scopes: ['edu.classes', 'scores'] })).body
    expect((await people.ada.get(`/classes/${classes.body.id}`)).status).toBe(200)
    const acting = clientOf(app.url, token)
    expect((await acting.get(`/classes/${classes.body.id}`)).status).toBe(404)
    expect((await acting.put(`/classes/${classes.body.id}`, { name: 'Mine' })).status).toBe(404)
    expect((await acting.post('/scores', emptyPiano())).status).toBe(200)
  })

  it('expires after 24 hours, and is deleted then', async () => {
    const token = await tokenFor(people.sol)
    clock.forward(24 * 60 * minute - 1)
    expect(await statusOf(token)).toBe(200)
    clock.forward(5001)
    expect(await statusOf(token)).toBe(401)
  })

  it.each([
    [{}, 'scopes'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['scores', 'everything'] }, 'scopes.1'],
    [{ scopes: ['scores', 'edu.admin'] }, 'scopes.1'],
    [{ scopes: ['edu.admin.users.readonly'] }, 'scopes.0'],
    [{ scopes: ['edu.admin.lti'] }, 'scopes.0'],
  ])('refuses %j', async (body, param) => {
    expect(await people.ada.post(pathOf(people.tess.id), body)).toMatchObject({
      status: 400,
      body: { param },
    })
  })

  it('is for members below the caller’s role', async () => {
    const alma = await app.person('alma', { organization: people.id, role: 'admin' })
    for (const person of [alma, people.ada, anna]) {
      const { status, body } = await people.ada.post(pathOf(person.id), { scopes })
      expect([status, body.code]).toEqual([403, 'ROLE_OUT_OF_REACH'])
    }
    for (const person of [people.ada, people.tess, people.sam]) {
      expect((await anna.post(pathOf(person.id), { scopes })).status).toBe(200)
    }
    expect((await anna.post(pathOf('me'), { scopes })).status).toBe(403)
  })

  it('returns 404 for users outside of the organization', async () => {
    for (const id of [people.abel.id, people.otto.id, 'nonsense']) {
      const { status, body } = await people.ada.post(pathOf(id), { scopes })
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
    }
  })

  it('is available to administrators', async () => {
    for (const person of [people.tess, people.sam, people.otto]) {
      expect((await person.post(pathOf(people.sol.id), { scopes })).body.code).toBe(
        'ORGANIZATION_ACCESS_DENIED',
      )
    }
  })

  it('ends when the role of its creator or of its user changes, unlike personal tokens', async () => {
    const email = (name: string) => `${name}@example.com`
    const alois = await app.person('alois', { organization: people.id, role: 'admin', email: email('alois') })
    const nora = await app.person('nora', { organization: people.id, email: email('nora') })
    const tokens = [await tokenFor(nora), await tokenFor(people.sam, alois)]
    for (const token of tokens) expect(await statusOf(token)).toBe(200)
    for (const name of ['nora', 'alois'])
      await anna.post('/organizations/invitations', { email: email(name) })
    for (const token of tokens) expect(await statusOf(token)).toBe(401)
    for (const person of [nora, alois, people.sam]) expect(await statusOf(person.token)).toBe(200)
  })

  it('is in the audit log, without the token', async () => {
    const lena = await app.person('lena', { organization: people.id })
    const { id } = (await people.ada.post(pathOf(lena.id), { scopes })).body
    expect(await auditOf(app, lena.id)).toEqual([
      {
        organization: people.id,
        actor: people.ada.id,
        action: 'user.access-token-created',
        details: { token: id, scopes },
      },
    ])
  })
})
