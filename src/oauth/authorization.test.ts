import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../test/support/app.ts'
import { type Browser, browserAt } from '../../test/support/browser.ts'
import { clientOf } from '../../test/support/client.ts'
import { testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import {
  allow,
  ask,
  authorizationPath,
  callback,
  newClient,
  type Parameters,
  password,
  signedIn,
  type TestClient,
  toldTo,
} from '../../test/support/oauth.ts'
import { signedOutMeanwhile } from '../../test/support/signed-out-meanwhile.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'

const verifier = 'a-verifier-that-is-long-enough-and-known-to-one-app'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }

describeEachDatabase('asking somebody for access', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person
  let browser: Browser
  let confidential: TestClient
  let open: TestClient

  beforeAll(async () => {
    otto = await app.person('otto')
    browser = await signedIn(app, otto)
    confidential = await newClient(app)
    open = await newClient(app, { isPublic: true, name: 'Tuner <b>"&' })
  })

  const exchange = (client: TestClient, parameters: Parameters) =>
    ask(app, 'access_token', client, {
      grant_type: 'authorization_code',
      redirect_uri: client.redirectUri,
      ...parameters,
    })
  const codeFor = async (client: TestClient, parameters: Parameters = {}) =>
    (await allow(browser, authorizationPath(client, parameters))).get('code') ?? ''

  describe('the page that asks', () => {
    it('names the app and says each scope in words, escaped, in valid HTML', async () => {
      const { status, text } = await browser.open(authorizationPath(open, { ...pkce, scope: 'scores edu.classes' }))
      expect(status).toBe(200)
      await expectValidHtml(text)
      expect(text).toContain('<h1>Tuner &lt;b&gt;&quot;&amp; asks for access</h1>')
      expect(text).toContain('See, create, change and delete your scores')
      expect(text).toContain('See and change your classes')
      expect(text).toContain('It can do so for a day.')
    })

    it.each([
      ['fr', 'Autoriser', 'Voir, créer, modifier et supprimer vos partitions'],
      ['de', 'Erlauben', 'Ihre Noten sehen, anlegen, ändern und löschen'],
      ['es', 'Permitir', 'Ver, crear, cambiar y borrar sus partituras'],
    ])('speaks the language of the reader: %s', async (language, button, scope) => {
      const page = await browser.open(authorizationPath(confidential), { headers: { 'Accept-Language': language } })
      expect(page.text).toContain(`<html lang="${language}">`)
      for (const words of [button, scope]) expect(page.text).toContain(words)
    })

    it('is framed by nobody, kept by nobody, runs no script, and sends its form here and to the app alone', async () => {
      const { headers } = await browser.open(authorizationPath(confidential))
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'self' https://app.example;")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('comes each time, also where the same was allowed before', async () => {
      await codeFor(confidential)
      expect((await browser.open(authorizationPath(confidential))).text).toContain('value="allow"')
    })

    it('comes again where somebody else has signed in since', async () => {
      const olga = await app.person('olga')
      const shared = await signedIn(app, olga)
      const question = await shared.open(authorizationPath(confidential))
      const foreign = { decision: 'allow', user: otto.id }
      const again = await shared.submit(question, '/auth/oauth', foreign)
      expect([again.status, again.text.includes('value="allow"')]).toEqual([200, true])
    })
  })

  describe('is refused on a page, and nobody is sent anywhere,', () => {
    it.each<[string, Parameters]>([
      ['for an app that there is not', { client_id: '0123456789abcdef01234567' }],
      ['for an app that could not be', { client_id: "' or 1=1" }],
      ['for no app', { client_id: undefined }],
      ['for an address that is not registered', { redirect_uri: 'https://evil.example/callback' }],
      ['for one that begins like it', { redirect_uri: `${callback}/../../evil` }],
      ['for one that is longer', { redirect_uri: `${callback}?next=https://evil.example` }],
      ['for one in another case', { redirect_uri: callback.toUpperCase() }],
      ['for one with a user before it', { redirect_uri: 'https://app.example@evil.example/callback' }],
      ['for a script', { redirect_uri: 'javascript:alert(1)' }],
    ])('%s', async (_what, parameters) => {
      for (const visitor of [browser, browserAt(app.url)]) {
        const shown = await visitor.open(authorizationPath(confidential, parameters))
        expect([shown.status, shown.headers.get('location')]).toEqual([400, null])
        expect(shown.headers.get('content-type')).toContain('text/html')
        await expectValidHtml(shown.text)
      }
    })

    it('where the address stands twice', async () => {
      const path = `${authorizationPath(confidential)}&redirect_uri=https%3A%2F%2Fevil.example`
      expect((await browser.open(path)).status).toBe(400)
    })

    it('where several addresses are registered and none is named', async () => {
      const client = await newClient(app, { redirectUris: [callback, `${callback}/2`] })
      expect((await browser.open(authorizationPath(client, { redirect_uri: undefined }))).status).toBe(400)
      expect((await browser.open(authorizationPath(client, { redirect_uri: `${callback}/2` }))).status).toBe(200)
    })
  })

  describe('is told to the app as an error', () => {
    it.each<[string, Parameters]>([
      ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
      ['invalid_request', { code_challenge_method: 'plain' }],
      ['invalid_request', { code_challenge_method: undefined }],
      ['invalid_request', { code_challenge: 'short' }],
      ['invalid_request', { access_type: 'sometimes' }],
      ['invalid_request', { response_type: undefined }],
      ['invalid_request', { scope: undefined }],
      ['unsupported_response_type', { response_type: 'token' }],
      ['unsupported_response_type', { response_type: 'code token' }],
      ['invalid_scope', { scope: 'scores everything' }],
      ['invalid_scope', { scope: ' ' }],
    ])('%s: %j', async (error, parameters) => {
      const path = authorizationPath(open, { ...pkce, state: 'kept & safe', ...parameters })
      const shown = await browser.open(path)
      expect(shown.url.startsWith(`${callback}?`)).toBe(true)
      expect(Object.fromEntries(toldTo(shown))).toEqual({
        error,
        error_description: expect.any(String),
        state: 'kept & safe',
        iss: app.url,
      })
      // Who is not signed in is asked to sign in first: nobody is led away who has not seen where they are.
      const stranger = await browserAt(app.url).open(path)
      expect([stranger.status, stranger.headers.get('location')]).toEqual([200, null])
    })
  })

  it('is not answered by the page of another site', async () => {
    const form = new URLSearchParams(authorizationPath(confidential).split('?')[1])
    form.set('user', otto.id)
    form.set('decision', 'allow')
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: app.url },
    ]) {
      const shown = await browser.open('/auth/oauth', { method: 'POST', body: form, headers })
      expect([shown.status, shown.headers.get('location')]).toEqual([403, null])
    }
  })

  it('gives nothing of who was signed out while allowing it: with another password all is over', async () => {
    const vera = await app.person('vera')
    const visitor = await signedIn(app, vera)
    const question = await visitor.open(authorizationPath(confidential))
    const allow = () => visitor.submit(question, '/auth/oauth', { decision: 'allow' })
    expect((await signedOutMeanwhile(app, vera, allow)).text).toContain('action="/auth/signin"')
    const { read } = app.ctx.db
    expect(await read.selectFrom('authorizations').select('id').where('user_id', '=', vera.id).execute()).toEqual([])
  })

  it('keeps what the address of the app has behind its question mark', async () => {
    const client = await newClient(app, { redirectUris: ['com.example.tuner:/back?from=partita'] })
    const told = await allow(browser, authorizationPath(client))
    expect([told.get('from'), told.get('code')]).toEqual(['partita', expect.stringMatching(/^partita_code_/)])
  })

  describe('a code', () => {
    it('is exchanged once; what came of it ends when it comes again', async () => {
      const code = await codeFor(confidential, { access_type: 'offline' })
      const first = await exchange(confidential, { code })
      expect(first.status).toBe(200)
      expect(first.headers.get('cache-control')).toBe('no-store')
      expect(first.body).toEqual({
        access_token: expect.stringMatching(/^partita_oat_\w{46}$/),
        token_type: 'bearer',
        expires_in: 86_400,
        scope: 'scores',
        refresh_token: expect.stringMatching(/^partita_ort_\w{46}$/),
        issued_at: new Date(clock.now()).toISOString(),
        user: otto.id,
      })
      const again = await exchange(confidential, { code })
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
      const refresh = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token }
      expect((await ask(app, 'access_token', confidential, refresh)).body.error).toBe('invalid_grant')
    })

    it('is exchanged once where several try at once, and then all of it ends', async () => {
      const code = await codeFor(confidential)
      const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(confidential, { code })))
      const [winner, ...others] = answers.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      expect((await clientOf(app.url, winner?.body.access_token).get('/collections')).status).toBe(401)
    })

    it('is over after a minute', async () => {
      const [early, late] = [await codeFor(confidential), await codeFor(confidential)]
      clock.forward(59_999)
      expect((await exchange(confidential, { code: early })).status).toBe(200)
      clock.forward(1)
      expect((await exchange(confidential, { code: late })).body.error).toBe('invalid_grant')
    })

    it('is for the app that asked, which does not lose it by another’s trying', async () => {
      const code = await codeFor(confidential)
      const other = await newClient(app)
      expect((await exchange(other, { code })).body.error).toBe('invalid_grant')
      expect((await exchange(confidential, { code })).status).toBe(200)
    })

    it('is for the address that it was asked with', async () => {
      const code = await codeFor(confidential)
      for (const redirect_uri of [undefined, 'https://evil.example/', `${callback}/`]) {
        expect((await exchange(confidential, { code, redirect_uri })).body.error).toBe('invalid_grant')
      }
      expect((await exchange(confidential, { code })).status).toBe(200)
    })

    it('needs the verifier that belongs to it, and no other', async () => {
      const code = await codeFor(open, pkce)
      for (const code_verifier of [undefined, `${verifier}x`, challenge, 'short', 'ü'.repeat(50)]) {
        const { status, body } = await exchange(open, { code, code_verifier })
        expect([status, body.error]).toEqual([400, 'invalid_grant'])
      }
      expect((await exchange(open, { code, code_verifier: verifier })).status).toBe(200)
      // Somebody has taken the challenge out of the request on its way.
      const bare = await codeFor(confidential)
      expect((await exchange(confidential, { code: bare, code_verifier: verifier })).body.error).toBe('invalid_grant')
    })

    it('of a confidential app is bound to PKCE as well, where it uses that', async () => {
      const code = await codeFor(confidential, pkce)
      expect((await exchange(confidential, { code })).body.error).toBe('invalid_grant')
      expect((await exchange(confidential, { code, code_verifier: verifier })).status).toBe(200)
    })

    it('that nobody has given out is none', async () => {
      for (const code of ['nonsense', `partita_code_${'a'.repeat(46)}`]) {
        expect((await exchange(confidential, { code })).body.error).toBe('invalid_grant')
      }
    })

    it('ends with the account', async () => {
      const gone = await app.person('gone')
      const told = await allow(await signedIn(app, gone), authorizationPath(confidential))
      const update = app.ctx.db.transaction((tx) =>
        tx.updateTable('users').set({ deletion_at: 1 }).where('id', '=', gone.id).execute(),
      )
      await update
      expect((await exchange(confidential, { code: told.get('code') ?? '' })).body.error).toBe('invalid_grant')
    })
  })

  it('needs somebody who is signed in: leads there, and back again', async () => {
    const visitor = browserAt(app.url)
    const signIn = await visitor.open(authorizationPath(confidential, { state: 'a+b' }))
    expect(signIn.text).toContain('action="/auth/signin"')
    const question = await visitor.submit(signIn, '/auth/signin', { username: 'otto', password })
    const answer = await visitor.submit(question, '/auth/oauth', { decision: 'allow' })
    expect(toldTo(answer).get('state')).toBe('a+b')
  })
})

describeEachDatabase('the implicit flow, where it is on', (databases) => {
  const app = useApp(databases, { oauthImplicit: 'true' })

  it('gives an access token alone, behind the #', async () => {
    const otto = await app.person('otto')
    const client = await newClient(app, { isPublic: true })
    const asked = { response_type: 'token', state: 's', access_type: 'offline' }
    const browser = await signedIn(app, otto)
    const answer = await browser.submit(await browser.open(authorizationPath(client, asked)), '/auth/oauth', {
      decision: 'allow',
    })
    expect(answer.url.startsWith(`${callback}#`)).toBe(true)
    expect(Object.fromEntries(toldTo(answer))).toEqual({
      access_token: expect.stringMatching(/^partita_oat_/),
      token_type: 'bearer',
      expires_in: '86400',
      scope: 'scores',
      state: 's',
      iss: app.url,
    })
    const metadata = await fetch(`${app.url}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({ response_types_supported: ['code', 'token'] })
  })
})
