import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { browserAt } from '../../../test/support/browser.ts'
import { fromOwnPage } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { hashOf } from '../passwords/hashing.ts'
import { findByPassword } from '../../features/people/users/accounts.ts'
import { updatePassword } from '../../features/people/users/store.ts'
import { findSession } from '../sessions/store.ts'
import { hashToken } from '../../lib/tokens.ts'

const cookie = 'partita_session'

describeEachDatabase('sign-in', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person
  beforeAll(async () => {
    otto = await app.person('otto', { email: 'otto@example.com' })
  })

  const tryAs = (username: string, word: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/auth/signin`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ username, password: word, next: '/healthz' }),
      headers,
    })

  it('has a page of valid HTML without scripts in the language of the browser', async () => {
    const page = await browserAt(app.url, { 'Accept-Language': 'fr-CA, en;q=0.8' }).open('/auth/signin')
    await expectValidHtml(page.text)
    expect(page.text).toContain('<html lang="fr">')
    expect(page.text).toContain('Mot de passe')
    expect(page.text).not.toContain('<script')
    const policy = page.headers.get('content-security-policy')
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self';"]) {
      expect(policy).toContain(rule)
    }
  })

  it('creates a session with an HttpOnly cookie, and stores only its hash', async () => {
    for (const name of ['otto', ' OTTO ', 'Otto@Example.com']) {
      const response = await tryAs(name, password)
      expect([response.status, response.headers.get('location')]).toEqual([303, `${app.url}/healthz`])
      const [, session = ''] =
        /^partita_session=(partita_session_\w{46}); Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/.exec(
          response.headers.getSetCookie()[0] ?? '',
        ) ?? []
      const found = await findSession(app.ctx.db.read, { hash: hashToken(session), now: clock.now() })
      expect(found?.user_id).toBe(otto.id)
    }
  })

  it('creates a new session each time and ends the previous one', async () => {
    const browser = await signedIn(app, otto)
    const first = browser.cookies.get(cookie) ?? ''
    const response = await tryAs('otto', password, { Cookie: `${cookie}=${first}` })
    expect(response.headers.get('set-cookie')).not.toContain(first)
    expect(await findSession(app.ctx.db.read, { hash: hashToken(first), now: clock.now() })).toBeUndefined()
  })

  it('refuses a session cookie that an attacker has chosen', async () => {
    const response = await tryAs('otto', password, { Cookie: `${cookie}=chosen; other=1` })
    expect(response.headers.get('set-cookie')).not.toContain('chosen')
  })

  it('refuses several session cookies, because one may belong to another user', async () => {
    const [first, second] = [await signedIn(app, otto), await signedIn(app, otto)].map((b) =>
      b.cookies.get(cookie),
    )
    const open = (Cookie: string) => fetch(`${app.url}/internal/me`, { headers: { ...fromOwnPage, Cookie } })
    expect((await open(`${cookie}=${first}`)).status).toBe(200)
    expect((await open(`${cookie}=${first}; ${cookie}=${second}`)).status).toBe(401)
  })

  it('refuses a password that was changed after it was checked', async () => {
    const rita = await app.person('rita')
    const transaction = app.ctx.transaction.bind(app.ctx)
    // The transactions count the attempt, refund it, and create the session.
    let calls = 0
    const spy = vi.spyOn(app.ctx, 'transaction').mockImplementation(async (work) => {
      if (++calls === 3) await transaction((tx) => updatePassword(tx, rita.id, '$argon2id$another'))
      return transaction(work)
    })
    try {
      const response = await tryAs('rita', password)
      expect([response.status, response.headers.get('set-cookie'), calls]).toEqual([401, null, 3])
    } finally {
      spy.mockRestore()
    }
    const sessions = app.ctx.db.read.selectFrom('sessions').select('hash').where('user_id', '=', rita.id)
    expect(await sessions.execute()).toEqual([])
  })

  it('shows the same page for a wrong password and for an unknown name', async () => {
    const [wrong, unknown] = [await tryAs('otto', 'wrong'), await tryAs('nobody', 'wrong')]
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    const text = await wrong.text()
    expect(text).toContain('The username or password is wrong.')
    await expectValidHtml(text)
    expect((await unknown.text()).replace('nobody', 'otto')).toBe(text)
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  it('takes the same time for an unknown name, because a password is verified anyway', async () => {
    expect(await findByPassword({ accounts: [], tries: 2 }, 'x')).toBeUndefined()
    // The same parameters as of the hash of a new password: memory, iterations, lanes.
    expect(await hashOf(password)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('escapes the name in the page', async () => {
    const text = await (await tryAs('"><script>alert(1)</script>', 'x')).text()
    expect(text).not.toContain('<script>')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;')
  })

  it('refuses removed accounts, and addresses that several accounts have or that no organization vouches for', async () => {
    const removed = await app.person('gone')
    await app.person('twin1', { email: 'twin@example.com' })
    await app.person('twin2', { email: 'twin@example.com' })
    const uma = await app.person('uma', { email: 'uma@example.com' })
    await app.ctx.transaction(async (tx) => {
      await tx.updateTable('users').set({ deletion_at: 1 }).where('id', '=', removed.id).execute()
      await tx.updateTable('users').set({ email_vouched: 0 }).where('id', '=', uma.id).execute()
    })
    for (const name of ['gone', 'twin@example.com', 'uma@example.com']) {
      expect((await tryAs(name, password)).status).toBe(401)
    }
    expect((await tryAs('uma', password)).status).toBe(303)
  })

  it('accepts an address that another organization has also given to an account', async () => {
    const [a, b] = [await app.organization('A'), await app.organization('B')]
    const email = 'tess@b.example'
    for (const name of ['tess.a', 'twin.a']) await app.person(name, { organization: a, email })
    const tess = await app.person('tess.b', { organization: b, email })
    expect((await tryAs(email, password)).status).toBe(303)
    const other = await app.person('tess.c', { organization: await app.organization('C'), email })
    const passwordHash = await hashOf('hers at C')
    await app.ctx.transaction((tx) => updatePassword(tx, other.id, passwordHash))
    for (const right of [password, 'hers at C']) expect((await tryAs(email, right)).status).toBe(303)
    expect((await tryAs(email, 'a guess')).status).toBe(401)
    const failed = (await app.ctx.db.read.selectFrom('audit_events').selectAll().execute())
      .filter(({ action }) => action === 'user.sign-in-failed')
      .map(({ subject_id }) => subject_id)
    expect(failed).toEqual(expect.arrayContaining([tess.id, other.id]))
  })

  describe('does not redirect to another site', () => {
    it.each([
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      '/x//evil.example',
      '',
    ])('by %j', async (next) => {
      const body = new URLSearchParams({ username: 'otto', password, next })
      const response = await fetch(`${app.url}/auth/signin`, { method: 'POST', redirect: 'manual', body })
      expect(response.status).toBe(303)
      expect(new URL(response.headers.get('location') ?? '').origin).toBe(app.url)
      const browser = await signedIn(app, otto)
      const page = await browser.open(`/auth/signin?${new URLSearchParams({ next })}`)
      expect(page.headers.get('location')).toBeNull()
    })
  })

  it('refuses cross-site requests, also to sign out', async () => {
    const browser = await signedIn(app, otto)
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const headers of foreign) {
      expect((await tryAs('otto', password, headers)).status).toBe(403)
      expect((await browser.open('/auth/signout', { method: 'POST', headers })).status).toBe(403)
    }
    expect(browser.cookies.has(cookie)).toBe(true)
    const token = browser.cookies.get(cookie) ?? ''
    const page = await browser.open('/auth/signout', { method: 'POST' })
    expect([page.status, browser.cookies.has(cookie)]).toEqual([200, false])
    expect(await findSession(app.ctx.db.read, { hash: hashToken(token), now: clock.now() })).toBeUndefined()
  })
})

describeEachDatabase('the body of a page request', (databases) => {
  const app = useApp(databases, { signUp: 'true', smtpUrl: 'smtp://127.0.0.1:1' })
  const paths = [
    '/auth/signin',
    '/auth/signup',
    '/auth/signout',
    '/auth/password',
    '/auth/password/x',
    '/auth/oauth',
  ]

  it('may be empty, and is refused in another content type without a server error', async () => {
    const organization = await app.organization()
    const ada = await app.person('ada', { organization, role: 'admin' })
    const { customCode } = (await ada.post('/organizations/invitations', {})).body
    const browser = await signedIn(app, ada)
    const signedOut = browserAt(app.url)
    for (const path of [...paths, `/invitations/${customCode}`]) {
      for (const client of [signedOut, browser]) {
        const body = new FormData()
        body.set('name', 'x')
        expect([path, (await client.open(path, { method: 'POST', body })).status]).toEqual([path, 415])
        const bare = await client.open(path, { method: 'POST' })
        expect([path, bare.status < 500]).toEqual([path, true])
        expect(bare.headers.get('content-type')).toContain('text/html')
      }
      if (path === '/auth/signout')
        await browser.submit(await browser.open('/auth/signin'), '/auth/signin', {
          username: 'ada',
          password,
        })
    }
  })
})
