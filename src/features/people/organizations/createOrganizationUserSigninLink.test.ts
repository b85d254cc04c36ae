import { beforeAll, expect, it } from 'vitest'
import { internalClient } from '../../../../test/support/client.ts'
import { type Person, type TestApp, useApp } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { clientOf } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { browserAt } from '../../../../test/support/browser.ts'
import { expectValidHtml } from '../../../../test/support/valid-html.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { authorizationPath, newClient } from '../../../../test/support/oauth.ts'
import { password, signedIn } from '../../../../test/support/sessions.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { hashToken } from '../../../lib/tokens.ts'
import { findSession } from '../../../auth/sessions/store.ts'

const pathOf = (user: string) => `/organizations/users/${user}/signinLink`
const use = (url: string, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', ...init })
const sessionIn = (response: Response) =>
  /^partita_session=(\w+); /.exec(response.headers.get('set-cookie') ?? '')?.[1]

/** Returns the user of a session. */
async function holderOf({ ctx }: TestApp, session = ''): Promise<string | undefined> {
  return (await findSession(ctx.db.read, { hash: hashToken(session), now: ctx.clock.now() }))?.user_id
}

describeEachDatabase('createOrganizationUserSigninLink', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let anna: Person

  beforeAll(async () => {
    people = await makeSchool(app)
    anna = await app.person('anna', { organization: people.id, role: 'accountAdmin' })
  })

  const linkFor = async (person: Person, body: object = {}): Promise<{ url: string; token: string }> =>
    (await people.ada.post(pathOf(person.id), body)).body

  it('creates a link for 15 minutes, and does not store its token', async () => {
    const { status, headers, body } = await people.ada.post(pathOf(people.tess.id), {})
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      url: `${app.url}/auth/signin-link/${body.token}`,
      token: expect.stringMatching(/^partita_link_\w{46}$/),
      expirationDate: new Date(clock.now() + 15 * minute).toISOString(),
    })
    const rows = await app.ctx.db.read.selectFrom('sign_in_links').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(body.token)
    expect(rows.map(({ user_id, created_by }) => [user_id, created_by])).toEqual([
      [people.tess.id, people.ada.id],
    ])
  })

  it('signs the user in once, and redirects to the destination', async () => {
    const { url } = await linkFor(people.tess, { destinationPath: '/classes/1?tab=späte Werke' })
    const response = await use(url)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`${app.url}/classes/1?tab=sp%C3%A4te%20Werke`)
    expect(response.headers.get('set-cookie')).toMatch(
      /^partita_session=partita_session_\w{46}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    )
    expect(await holderOf(app, sessionIn(response))).toBe(people.tess.id)
    const again = await use(url)
    expect([again.status, again.headers.get('set-cookie')]).toEqual([410, null])
    expect((await fetch(url)).status).toBe(410)
  })

  it('redirects to the first page by default', async () => {
    expect((await use((await linkFor(people.sam)).url)).headers.get('location')).toBe(`${app.url}/`)
  })

  it('is not used up by a request that only fetches the page', async () => {
    const { url, token } = await linkFor(people.tess)
    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(url, { method })
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('same-origin')
      expect(response.headers.get('content-security-policy')).toContain("form-action 'self'")
      const text = await response.text()
      expect(text).not.toContain(token)
      if (method === 'GET') expect(text).toContain('<form method="post">')
    }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await use(url, { headers: form, body: '' })).status).toBe(303)
  })

  it('refuses a form of another site', async () => {
    const { url } = await linkFor(people.tess)
    const refused = await use(url, { headers: { 'Sec-Fetch-Site': 'cross-site' } })
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null])
    expect((await use(url, { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status).toBe(303)
  })

  it('signs in once for several simultaneous requests', async () => {
    const { url } = await linkFor(people.tess)
    const responses = await Promise.all(Array.from({ length: 8 }, () => use(url)))
    expect(responses.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(410)])
    expect(responses.filter((response) => sessionIn(response) !== undefined)).toHaveLength(1)
  })

  it('expires after 15 minutes, and its session after 14 days', async () => {
    const [late, early] = [await linkFor(people.tess), await linkFor(people.tess)]
    clock.forward(15 * minute - 1)
    const session = sessionIn(await use(early.url))
    clock.forward(1)
    expect((await fetch(late.url)).status).toBe(410)
    expect((await use(late.url)).status).toBe(410)
    clock.forward(14 * 24 * 60 * minute - 2)
    expect(await holderOf(app, session)).toBe(people.tess.id)
    clock.forward(1)
    expect(await holderOf(app, session)).toBeUndefined()
  })

  it('shows a 404 page for an unknown link', async () => {
    for (const token of ['nonsense', 'partita_link_x']) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(`${app.url}/auth/signin-link/${token}`, { method })
        expect([response.status, response.headers.get('content-type')]).toEqual([
          404,
          'text/html; charset=utf-8',
        ])
      }
    }
  })

  it.each([
    '',
    'classes',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '/x//evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    ' /x',
    '/\t/evil.example',
    '/x\r\nSet-Cookie: a=b',
    '/x\u0085',
  ])('refuses a destination on another site: %j', async (destinationPath) => {
    const { status, body } = await people.ada.post(pathOf(people.tess.id), { destinationPath })
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', 'destinationPath'])
  })

  it.each(['/..', '/..%2f/evil.example', '/.%09/evil.example', '/@evil.example', '/:80', '/?x=1#y'])(
    'stays on this site: %s',
    async (destinationPath) => {
      const response = await use((await linkFor(people.tess, { destinationPath })).url)
      expect(new URL(response.headers.get('location') ?? '').origin).toBe(new URL(app.url).origin)
    },
  )

  it('is for members below the caller’s role', async () => {
    const alma = await app.person('alma', { organization: people.id, role: 'admin' })
    for (const person of [alma, people.ada, anna]) {
      const { status, body } = await people.ada.post(pathOf(person.id), {})
      expect([status, body.code]).toEqual([403, 'ROLE_OUT_OF_REACH'])
    }
    expect((await people.ada.post(pathOf('me'), {})).status).toBe(403)
    for (const person of [people.ada, people.tess, people.sam]) {
      expect((await anna.post(pathOf(person.id), {})).status).toBe(200)
    }
    expect((await anna.post(pathOf(anna.id), {})).status).toBe(403)
  })

  it('returns 404 for users outside of the organization, and for removed members', async () => {
    const open = await app.organization('Conservatory', true)
    const vera = await app.person('vera', { organization: open })
    const removed = await app.person('gone', { organization: people.id })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 1 }).where('id', '=', removed.id).execute(),
    )
    for (const id of [people.abel.id, people.otto.id, vera.id, removed.id, 'nonsense']) {
      const { status, body } = await people.ada.post(pathOf(id), {})
      expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND'])
    }
  })

  it('is available to administrators', async () => {
    for (const person of [people.tess, people.sam, people.otto]) {
      expect((await person.post(pathOf(people.sol.id), {})).body.code).toBe('ORGANIZATION_ACCESS_DENIED')
    }
  })

  it('ends the previous session of the browser', async () => {
    const first = sessionIn(await use((await linkFor(people.sam)).url)) ?? ''
    const { url } = await linkFor(people.tess)
    const second = sessionIn(await use(url, { headers: { Cookie: `partita_session=${first}` } }))
    expect([await holderOf(app, first), await holderOf(app, second)]).toEqual([undefined, people.tess.id])
  })

  it('starts a session that ends when the role of the link’s creator or user changes', async () => {
    const email = (name: string) => `${name}@example.com`
    const arno = await app.person('arno', { organization: people.id, role: 'admin', email: email('arno') })
    const nils = await app.person('nils', { organization: people.id, email: email('nils') })
    const sessionBy = async (maker: Person, user: Person) =>
      sessionIn(await use((await maker.post(pathOf(user.id), {})).body.url)) ?? ''
    const [forNils, byArno] = [await sessionBy(people.ada, nils), await sessionBy(arno, people.sam)]
    const [ownBrowser, other] = [await signedIn(app, nils), await sessionBy(people.ada, people.sam)]
    await anna.post('/organizations/invitations', { email: email('nils'), organizationRole: 'accountAdmin' })
    await anna.post('/organizations/invitations', { email: email('arno') })
    for (const session of [forNils, byArno]) expect(await holderOf(app, session)).toBeUndefined()
    expect(await holderOf(app, other)).toBe(people.sam.id)
    // A session that began with a password does not end.
    expect(await holderOf(app, ownBrowser.cookies.get('partita_session'))).toBe(nils.id)
  })

  it('starts a session without access to tokens, apps, consent and invitations', async () => {
    const uma = await app.person('uma', { organization: people.id })
    const browser = browserAt(app.url)
    await browser.open((await linkFor(uma)).url, { method: 'POST' })
    const client = await newClient(app)
    const [, consentForm] = authorizationPath(client).split('?')
    const decided = new URLSearchParams(consentForm)
    decided.set('user', uma.id)
    decided.set('decision', 'allow')
    const { customCode } = (await anna.post('/organizations/invitations', { organizationRole: 'teacher' }))
      .body
    const requests: [string, RequestInit][] = [
      ['/account', {}],
      ['/account/developer/apps', {}],
      [authorizationPath(client), {}],
      ['/auth/oauth', { method: 'POST', body: decided }],
      [`/invitations/${customCode}`, { method: 'POST' }],
    ]
    for (const [path, init] of requests) {
      const shown = await browser.open(path, init)
      expect([path, shown.status]).toEqual([path, 403])
      expect(shown.text).toContain('You signed in with a link that another person created.')
      await expectValidHtml(shown.text)
    }
    const account = internalClient(browser)
    const isPublic = true
    for (const { status, body } of [
      await account.post('/tokens', { name: 'x', scopes: ['scores'] }),
      await account.post('/apps', { name: 'x', redirectUris: ['https://x.example/cb'], isPublic }),
    ]) {
      expect([status, body.code]).toEqual([403, 'DELEGATED_SESSION'])
    }
    const { read } = app.ctx.db
    const [authorizations, apps, tokens] = await Promise.all([
      read.selectFrom('authorizations').select('id').where('user_id', '=', uma.id).execute(),
      read.selectFrom('apps').select('id').where('owner_id', '=', uma.id).execute(),
      read.selectFrom('access_tokens').select('id').where('user_id', '=', uma.id).execute(),
    ])
    expect([authorizations, apps, tokens.length]).toEqual([[], [], 1])
    expect((await uma.get('/me')).body.organizationRole).toBe('user')

    // A sign-in with the password in the same browser gives access.
    const signIn = await browser.open('/auth/signin?next=/healthz')
    await browser.submit(signIn, '/auth/signin', { username: 'uma', password })
    expect((await account.post('/tokens', { name: 'x', scopes: ['scores'] })).status).toBe(201)
  })

  it('ends when the role of its creator or of its user changes', async () => {
    const email = (name: string) => `${name}@example.com`
    const alois = await app.person('alois', { organization: people.id, role: 'admin', email: email('alois') })
    const nora = await app.person('nora', { organization: people.id, email: email('nora') })
    const linkBy = async (maker: Person, user: Person): Promise<string> =>
      (await maker.post(pathOf(user.id), {})).body.url
    const forNora = await linkBy(people.ada, nora)
    await anna.post('/organizations/invitations', { email: email('nora'), organizationRole: 'accountAdmin' })
    const byAlois = await linkBy(alois, people.sam)
    await anna.post('/organizations/invitations', { email: email('alois') })
    for (const url of [forNora, byAlois]) expect((await use(url)).status).toBe(410)
  })

  it('ends when its creator or its user is removed', async () => {
    const creators = [
      await app.person('arthur', { organization: people.id, role: 'admin' }),
      await app.person('astrid', { organization: people.id, role: 'admin' }),
    ] as const
    const ned = await app.person('ned', { organization: people.id })
    const urlBy = async (maker: Person, user: Person): Promise<string> =>
      (await maker.post(pathOf(user.id), {})).body.url
    const urls = [await urlBy(creators[0], people.sam), await urlBy(creators[1], ned)]
    const removed = [creators[0].id, ned.id]
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ deletion_at: 1 }).where('id', 'in', removed).execute(),
    )
    for (const url of urls) expect((await use(url)).status).toBe(410)
  })

  it('is in the audit log when it is created and when it is used, without its token', async () => {
    const lena = await app.person('lena', { organization: people.id })
    await use((await linkFor(lena, { destinationPath: '/classes' })).url)
    expect(await auditOf(app, lena.id)).toEqual([
      {
        organization: people.id,
        actor: people.ada.id,
        action: 'user.signin-link-created',
        details: { destination: '/classes' },
      },
      {
        organization: people.id,
        actor: lena.id,
        action: 'user.signed-in-by-link',
        details: { by: people.ada.id },
      },
    ])
  })
})

describeEachDatabase('createOrganizationUserSigninLink behind https', (databases) => {
  const app = useApp(databases, { publicUrl: 'https://partita.example/music', trustProxy: '127.0.0.1' })

  it('sets a cookie for https only, and redirects to a path below the address of the server', async () => {
    const people = await makeSchool(app)
    const serverUrl = `http://127.0.0.1:${app.ctx.config.port}`
    const ada = clientOf(serverUrl, people.ada.token)
    const { url } = (await ada.post(pathOf(people.tess.id), { destinationPath: '/classes' })).body
    expect(url).toMatch(/^https:\/\/partita\.example\/music\/auth\/signin-link\//)
    const response = await use(`${serverUrl}/auth/signin-link/${url.split('/').at(-1)}`)
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
    expect(response.headers.get('location')).toBe('https://partita.example/music/classes')
  })
})

describeEachDatabase('createOrganizationUserSigninLink behind https without a path', (databases) => {
  const app = useApp(databases, { publicUrl: 'https://partita.example', trustProxy: '127.0.0.1' })

  it('sets a cookie that no other host can set, and refuses duplicates and other names', async () => {
    const people = await makeSchool(app)
    const serverUrl = `http://127.0.0.1:${app.ctx.config.port}`
    const ada = clientOf(serverUrl, people.ada.token)
    const { token } = (await ada.post(pathOf(people.tess.id), {})).body
    const cookie = (await use(`${serverUrl}/auth/signin-link/${token}`)).headers.get('set-cookie') ?? ''
    const [, session] =
      /^__Host-partita_session=(partita_session_\w{46}); Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/.exec(
        cookie,
      ) ?? []
    expect(await holderOf(app, session)).toBe(people.tess.id)
    const statusWith = async (Cookie: string) =>
      (await fetch(`${serverUrl}/account`, { headers: { Cookie }, redirect: 'manual' })).status
    expect(await statusWith(`a=b; __Host-partita_session=${session}`)).toBe(403)
    expect(await statusWith(`partita_session=${session}`)).toBe(303)
    expect(await statusWith(`__Host-partita_session=${session}; __Host-partita_session=${session}`)).toBe(303)
    expect(await statusWith(`__Host-partita_session=x; __Host-partita_session=${session}`)).toBe(303)
  })
})
