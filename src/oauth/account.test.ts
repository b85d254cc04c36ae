import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../../test/support/app.ts'
import { type Browser, browserAt, type Shown } from '../../test/support/browser.ts'
import { clientOf } from '../../test/support/client.ts'
import { day, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { allow, ask, authorizationPath, newClient, signedIn, tokensFor } from '../../test/support/oauth.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'
import { endSignIns } from '../features/sessions/ending.ts'

/** What a page shows once, to be copied. */
const secretsOf = ({ text }: Shown) =>
  [...text.matchAll(/<p class="secret">([^<]+)<\/p>/g)].map(([, secret]) => secret ?? '')

describeEachDatabase('the page of one’s account', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person
  let olga: Person
  let browser: Browser

  beforeAll(async () => {
    otto = await app.person('otto')
    olga = await app.person('olga')
    browser = await signedIn(app, otto)
  })

  const makeToken = async (fields: Record<string, string>) =>
    browser.submit(await browser.open('/account'), '/account/tokens', fields)

  it.each(['/account', '/account/apps'])('%s is for who is signed in, and comes after signing in', async (path) => {
    const stranger = await browserAt(app.url).open(path)
    expect(stranger.text).toContain('action="/auth/signin"')
    expect(stranger.text).toContain(`name="next" value="${path}"`)
    const own = await browser.open(path)
    expect(own.status).toBe(200)
    await expectValidHtml(own.text)
    expect(own.headers.get('content-security-policy')).not.toContain('unsafe')
  })

  describe('a personal token', () => {
    it('is made with scopes and an end, shown once, and ended', async () => {
      const made = await makeToken({ name: 'My <script>', scopes: 'collections.readonly', days: '30' })
      const [token = ''] = secretsOf(made)
      expect(token).toMatch(/^partita_pat_/)
      await expectValidHtml(made.text)
      const holder = clientOf(app.url, token)
      expect((await holder.get('/collections')).status).toBe(200)
      expect((await holder.post('/collections', { title: 'x' })).status).toBe(403)
      const page = await browser.open('/account')
      expect(page.text).not.toContain(token)
      expect(page.text).toContain('My &lt;script&gt;')
      expect(page.text).toContain('Feb 6, 2030')
      await expectValidHtml(page.text)
      const action = /\/account\/tokens\/\w+\/revoke(?="><button class="second" type="submit" aria-label="End My)/.exec(
        page.text,
      )
      await browser.submit(page, action?.[0] ?? '')
      expect((await holder.get('/collections')).status).toBe(401)
    })

    it('needs a name and at least one scope; a scope that there is not is none', async () => {
      for (const fields of [{ name: ' ', scopes: 'scores' }, { name: 'x' }, { name: 'x', scopes: 'everything' }]) {
        const refused = await makeToken(fields as Record<string, string>)
        expect([refused.status, secretsOf(refused)]).toEqual([400, []])
        expect(refused.text).toContain('role="alert"')
      }
    })

    it('of somebody else is not ended', async () => {
      const rows = await app.ctx.db.read
        .selectFrom('access_tokens')
        .selectAll()
        .where('user_id', '=', olga.id)
        .execute()
      await browser.open(`/account/tokens/${rows[0]?.id}/revoke`, { method: 'POST' })
      clock.forward(5000)
      expect((await olga.get('/me')).status).toBe(200)
    })
  })

  it('lists an app that has access once, and ends that at once', async () => {
    const client = await newClient(app, { name: 'Ear trainer' })
    const offline = { access_type: 'offline' }
    const tokens = [await tokensFor(app, otto, client, offline), await tokensFor(app, otto, client, offline)]
    const others = await tokensFor(app, olga, client, offline)
    const page = await browser.open('/account')
    await expectValidHtml(page.text)
    expect(page.text.match(/<th scope="row">Ear trainer<\/th>/g)).toHaveLength(1)
    const statusWith = async (token: string) => (await clientOf(app.url, token).get('/scores/x')).status
    for (const { access_token } of tokens) expect(await statusWith(access_token)).toBe(404)
    await browser.submit(page, `/account/connected/${client.id}/revoke`)
    for (const { access_token, refresh_token } of tokens) {
      expect(await statusWith(access_token)).toBe(401)
      const refresh = { grant_type: 'refresh_token', refresh_token }
      expect((await ask(app, 'access_token', client, refresh)).body.error).toBe('invalid_grant')
    }
    expect((await browser.open('/account')).text).not.toContain('Ear trainer')
    expect(await statusWith(others.access_token)).toBe(404)
  })

  describe('an app of one’s own', () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)])
    const register = async (fields: Record<string, string | Blob>, by: Browser = browser) => {
      const body = new FormData()
      const all = { name: 'Metronome', redirect_uris: 'https://metronome.example/cb', kind: 'confidential', ...fields }
      for (const [name, value] of Object.entries(all)) body.set(name, value)
      return by.open('/account/apps', { method: 'POST', body })
    }

    it('is registered with its addresses and logo; its secret is shown once, and signs people in', async () => {
      const redirect_uris = 'https://metronome.example/cb\r\n\r\n com.example.metronome:/cb \r\n'
      const shown = await register({ redirect_uris, logo: new Blob([png]) })
      expect(shown.status).toBe(200)
      await expectValidHtml(shown.text)
      const [id = '', secret] = secretsOf(shown)
      expect(secret).toMatch(/^partita_secret_\w{46}$/)
      const page = await browser.open('/account/apps')
      await expectValidHtml(page.text)
      expect(page.text).not.toContain(secret)
      expect(page.text).toContain('<code>com.example.metronome:/cb</code>')
      const client = { id, secret, redirectUri: 'com.example.metronome:/cb' }
      const question = await browser.open(authorizationPath(client))
      expect(question.text).toContain('Metronome asks for access')
      expect(question.headers.get('content-security-policy')).toContain("form-action 'self' com.example.metronome:;")
      const [, src = ''] = /<img class="logo" src="([^"]+)"/.exec(question.text) ?? []
      const logo = await fetch(app.url + src)
      expect([logo.headers.get('content-type'), logo.headers.get('x-content-type-options')]).toEqual([
        'image/png',
        'nosniff',
      ])
      expect(logo.headers.get('content-security-policy')).toContain('sandbox')
      expect(Buffer.from(await logo.arrayBuffer()).equals(png)).toBe(true)
      const { access_token } = await tokensFor(app, olga, client)
      expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(404)

      await browser.submit(page, `/account/apps/${id}/delete`)
      expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(401)
      expect((await browser.open(authorizationPath(client))).status).toBe(400)
    })

    it('that is public has no secret, and must use PKCE', async () => {
      const shown = await register({ kind: 'public' })
      const [id = '', ...others] = secretsOf(shown)
      expect(others).toEqual([])
      const client = { id, secret: undefined, redirectUri: 'https://metronome.example/cb' }
      const told = new URL((await browser.open(authorizationPath(client))).url).searchParams
      expect(told.get('error')).toBe('invalid_request')
    })

    it.each<[string, Record<string, string | Blob>]>([
      ['Give it a name', { name: ' ' }],
      ['Give it a name', { name: 'x'.repeat(101) }],
      ['Name 1 to 20 addresses', { redirect_uris: '\n' }],
      ['Name 1 to 20 addresses', { redirect_uris: 'https://x.example/cb\njavascript:alert(1)' }],
      ['Name 1 to 20 addresses', { redirect_uris: 'data:text/html,x' }],
      ['Name 1 to 20 addresses', { redirect_uris: 'nowhere' }],
      ['Name 1 to 20 addresses', { redirect_uris: 'https://x.example/#top' }],
      ['Name 1 to 20 addresses', { redirect_uris: 'https://u:p@x.example/' }],
      ['The logo is not', { logo: new Blob(['<svg onload="alert(1)"/>']) }],
      ['The logo is not', { logo: new Blob([png, new Uint8Array(100 * 1024)]) }],
    ])('is refused in words, and what was written stays: %s', async (words, fields) => {
      const shown = await register({ name: 'A "quoted" app', ...fields })
      expect(shown.status).toBe(400)
      expect(shown.text).toContain(words)
      if (!('name' in fields)) expect(shown.text).toContain('value="A &quot;quoted&quot; app"')
      await expectValidHtml(shown.text)
    })

    it('is not registered or deleted by another’s page, nor deleted by somebody else', async () => {
      const foreign = { Origin: 'https://evil.example' }
      const refused = await browser.open('/account/apps', { method: 'POST', body: new FormData(), headers: foreign })
      expect(refused.status).toBe(403)
      const [id = ''] = secretsOf(await register({}))
      const other = await signedIn(app, olga)
      await other.open(`/account/apps/${id}/delete`, { method: 'POST' })
      expect((await browser.open('/account/apps')).text).toContain(id)
      expect((await other.open('/account/apps')).text).not.toContain(id)
    })

    it('is not made by a body that is no form with a file in it', async () => {
      const asked: [number, RequestInit][] = [
        [415, {}],
        [415, { body: new URLSearchParams({ name: 'x' }) }],
        [415, { body: '{}', headers: { 'Content-Type': 'application/json' } }],
        [400, { body: 'x', headers: { 'Content-Type': 'multipart/form-data' } }],
        [400, { body: '--b\r\nContent-Dis', headers: { 'Content-Type': 'multipart/form-data; boundary=b' } }],
      ]
      for (const [status, init] of asked) {
        expect((await browser.open('/account/apps', { method: 'POST', ...init })).status).toBe(status)
      }
    })

    it('may do without https where the server itself has none', async () => {
      expect((await register({ redirect_uris: 'http://10.0.0.7/cb' })).status).toBe(200)
    })

    it('goes on when its maker has gone', async () => {
      const maker = await app.person('maker')
      const [id = '', secret] = secretsOf(await register({}, await signedIn(app, maker)))
      await app.ctx.transaction((tx) => tx.deleteFrom('users').where('id', '=', maker.id).execute())
      const client = { id, secret, redirectUri: 'https://metronome.example/cb' }
      expect((await allow(browser, authorizationPath(client))).get('code')).toMatch(/^partita_code_/)
    })
  })

  it('makes nothing for who was signed out while asking: with another password all is over', async () => {
    const vera = await app.person('vera')
    const client = await newClient(app)
    const registration = new FormData()
    for (const [name, value] of Object.entries({ name: 'x', redirect_uris: 'https://x.example', kind: 'public' })) {
      registration.set(name, value)
    }
    const decided = new URLSearchParams(authorizationPath(client).split('?')[1])
    decided.set('user', vera.id)
    decided.set('decision', 'allow')
    const asked: [string, URLSearchParams | FormData][] = [
      ['/account/tokens', new URLSearchParams({ name: 'x', scopes: 'scores' })],
      ['/account/apps', registration],
      ['/auth/oauth', decided],
    ]
    const transaction = app.ctx.transaction.bind(app.ctx)
    for (const [path, body] of asked) {
      const visitor = await signedIn(app, vera)
      const spy = vi.spyOn(app.ctx, 'transaction').mockImplementation(async (work) => {
        await transaction((tx) => endSignIns(tx, vera.id))
        return transaction(work)
      })
      const shown = await visitor.open(path, { method: 'POST', body }).finally(() => spy.mockRestore())
      expect([path, shown.text.includes('action="/auth/signin"')]).toEqual([path, true])
    }
    const { read } = app.ctx.db
    const made = await Promise.all([
      read.selectFrom('access_tokens').select('id').where('user_id', '=', vera.id).execute(),
      read.selectFrom('authorizations').select('id').where('user_id', '=', vera.id).execute(),
      read.selectFrom('apps').select('id').where('owner_id', '=', vera.id).execute(),
    ])
    expect(made).toEqual([[], [], []])
  })

  it('is over with the session: after 14 days', async () => {
    const short = await signedIn(app, otto)
    clock.forward(14 * day)
    expect((await short.open('/account')).text).toContain('action="/auth/signin"')
  })
})
