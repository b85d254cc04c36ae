import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { type Browser, browserAt } from '../../../test/support/browser.ts'
import { clientOf } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  allow,
  ask,
  authorizationPath,
  callback,
  newClient,
  type Parameters,
  type TestClient,
  redirectParameters,
} from '../../../test/support/oauth.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { requestWhileSessionEnds } from '../../../test/support/request-while-session-ends.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'

const verifier = 'a-verifier-that-is-long-enough-and-known-to-one-app'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }

describeEachDatabase('authorization requests', (databases) => {
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

  describe('the consent page', () => {
    it('names the app and describes each scope in escaped, valid HTML', async () => {
      const { status, text } = await browser.open(
        authorizationPath(open, { ...pkce, scope: 'scores edu.classes' }),
      )
      expect(status).toBe(200)
      await expectValidHtml(text)
      expect(text).toContain('<h1>Tuner &lt;b&gt;&quot;&amp; asks for access</h1>')
      expect(text).toContain('See, create, change and delete your scores')
      expect(text).toContain('See and change your classes')
      expect(text).toContain('The app keeps this access for one day.')
    })

    it.each([
      ['fr', 'Autoriser', 'Voir, créer, modifier et supprimer vos partitions'],
      ['de', 'Erlauben', 'Ihre Noten sehen, anlegen, ändern und löschen'],
      ['es', 'Permitir', 'Ver, crear, cambiar y borrar sus partituras'],
    ])('uses the language of the browser: %s', async (language, button, scope) => {
      const page = await browser.open(authorizationPath(confidential), {
        headers: { 'Accept-Language': language },
      })
      expect(page.text).toContain(`<html lang="${language}">`)
      for (const words of [button, scope]) expect(page.text).toContain(words)
    })

    it('cannot be framed or cached, runs no script, and sends its form only to this server and the app', async () => {
      const { headers } = await browser.open(authorizationPath(confidential))
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'self' https://app.example;")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('cache-control')).toBe('no-store')
    })

    it('is shown each time, even if the user has given consent before', async () => {
      await codeFor(confidential)
      expect((await browser.open(authorizationPath(confidential))).text).toContain('value="allow"')
    })

    it('is shown again if another user has signed in since', async () => {
      const olga = await app.person('olga')
      const shared = await signedIn(app, olga)
      const question = await shared.open(authorizationPath(confidential))
      const foreign = { decision: 'allow', user: otto.id }
      const again = await shared.submit(question, '/auth/oauth', foreign)
      expect([again.status, again.text.includes('value="allow"')]).toEqual([200, true])
    })
  })

  describe('is refused without a redirect', () => {
    it.each<[string, Parameters]>([
      ['for an unknown app', { client_id: '0123456789abcdef01234567' }],
      ['for an invalid client_id', { client_id: "' or 1=1" }],
      ['without a client_id', { client_id: undefined }],
      ['for an unregistered redirect URI', { redirect_uri: 'https://evil.example/callback' }],
      ['for a URI with the same prefix', { redirect_uri: `${callback}/../../evil` }],
      ['for a longer URI', { redirect_uri: `${callback}?next=https://evil.example` }],
      ['for a URI in another case', { redirect_uri: callback.toUpperCase() }],
      ['for a URI with a user name', { redirect_uri: 'https://app.example@evil.example/callback' }],
      ['for a script URL', { redirect_uri: 'javascript:alert(1)' }],
    ])('%s', async (_what, parameters) => {
      for (const client of [browser, browserAt(app.url)]) {
        const page = await client.open(authorizationPath(confidential, parameters))
        expect([page.status, page.headers.get('location')]).toEqual([400, null])
        expect(page.headers.get('content-type')).toContain('text/html')
        await expectValidHtml(page.text)
      }
    })

    it('if the redirect URI is repeated', async () => {
      const path = `${authorizationPath(confidential)}&redirect_uri=https%3A%2F%2Fevil.example`
      expect((await browser.open(path)).status).toBe(400)
    })

    it('if several redirect URIs are registered and the request has none', async () => {
      const client = await newClient(app, { redirectUris: [callback, `${callback}/2`] })
      expect((await browser.open(authorizationPath(client, { redirect_uri: undefined }))).status).toBe(400)
      expect((await browser.open(authorizationPath(client, { redirect_uri: `${callback}/2` }))).status).toBe(
        200,
      )
    })
  })

  describe('sends an error to the app', () => {
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
      const page = await browser.open(path)
      expect(page.url.startsWith(`${callback}?`)).toBe(true)
      expect(Object.fromEntries(redirectParameters(page))).toEqual({
        error,
        error_description: expect.any(String),
        state: 'kept & safe',
        iss: app.url,
      })
      // A signed-out user must sign in first, so that this address is no open redirector.
      const signedOut = await browserAt(app.url).open(path)
      expect([signedOut.status, signedOut.headers.get('location')]).toEqual([200, null])
    })
  })

  it('refuses cross-site requests', async () => {
    const form = new URLSearchParams(authorizationPath(confidential).split('?')[1])
    form.set('user', otto.id)
    form.set('decision', 'allow')
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: app.url },
    ]) {
      const page = await browser.open('/auth/oauth', { method: 'POST', body: form, headers })
      expect([page.status, page.headers.get('location')]).toEqual([403, null])
    }
  })

  it('issues nothing if the user is signed out during the consent by a password change', async () => {
    const vera = await app.person('vera')
    const browser = await signedIn(app, vera)
    const question = await browser.open(authorizationPath(confidential))
    const allow = () => browser.submit(question, '/auth/oauth', { decision: 'allow' })
    expect((await requestWhileSessionEnds(app, vera, allow)).text).toContain('action="/auth/signin"')
    const { read } = app.ctx.db
    expect(
      await read.selectFrom('authorizations').select('id').where('user_id', '=', vera.id).execute(),
    ).toEqual([])
  })

  it('keeps the query of the redirect URI', async () => {
    const client = await newClient(app, { redirectUris: ['com.example.tuner:/back?from=partita'] })
    const response = await allow(browser, authorizationPath(client))
    expect([response.get('from'), response.get('code')]).toEqual([
      'partita',
      expect.stringMatching(/^partita_code_/),
    ])
  })

  describe('an authorization code', () => {
    it('is exchanged once; a second use revokes the tokens that were issued for it', async () => {
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

    it('is exchanged once by concurrent requests, and then its tokens are revoked', async () => {
      const code = await codeFor(confidential)
      const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(confidential, { code })))
      const [winner, ...others] = answers.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      expect((await clientOf(app.url, winner?.body.access_token).get('/collections')).status).toBe(401)
    })

    it('expires after a minute', async () => {
      const [early, late] = [await codeFor(confidential), await codeFor(confidential)]
      clock.forward(59_999)
      expect((await exchange(confidential, { code: early })).status).toBe(200)
      clock.forward(1)
      expect((await exchange(confidential, { code: late })).body.error).toBe('invalid_grant')
    })

    it('can be used only by its app, and an attempt of another app does not revoke it', async () => {
      const code = await codeFor(confidential)
      const other = await newClient(app)
      expect((await exchange(other, { code })).body.error).toBe('invalid_grant')
      expect((await exchange(confidential, { code })).status).toBe(200)
    })

    it('requires the redirect URI of the request', async () => {
      const code = await codeFor(confidential)
      for (const redirect_uri of [undefined, 'https://evil.example/', `${callback}/`]) {
        expect((await exchange(confidential, { code, redirect_uri })).body.error).toBe('invalid_grant')
      }
      expect((await exchange(confidential, { code })).status).toBe(200)
    })

    it('requires the matching PKCE verifier', async () => {
      const code = await codeFor(open, pkce)
      for (const code_verifier of [undefined, `${verifier}x`, challenge, 'short', 'ü'.repeat(50)]) {
        const { status, body } = await exchange(open, { code, code_verifier })
        expect([status, body.error]).toEqual([400, 'invalid_grant'])
      }
      expect((await exchange(open, { code, code_verifier: verifier })).status).toBe(200)
      // An attacker has removed the challenge from the request.
      const bare = await codeFor(confidential)
      expect((await exchange(confidential, { code: bare, code_verifier: verifier })).body.error).toBe(
        'invalid_grant',
      )
    })

    it('of a confidential app with PKCE requires the verifier as well', async () => {
      const code = await codeFor(confidential, pkce)
      expect((await exchange(confidential, { code })).body.error).toBe('invalid_grant')
      expect((await exchange(confidential, { code, code_verifier: verifier })).status).toBe(200)
    })

    it('that was not issued is refused', async () => {
      for (const code of ['nonsense', `partita_code_${'a'.repeat(46)}`]) {
        expect((await exchange(confidential, { code })).body.error).toBe('invalid_grant')
      }
    })

    it('becomes invalid when the account is removed', async () => {
      const removed = await app.person('gone')
      const response = await allow(await signedIn(app, removed), authorizationPath(confidential))
      const update = app.ctx.db.transaction((tx) =>
        tx.updateTable('users').set({ deletion_at: 1 }).where('id', '=', removed.id).execute(),
      )
      await update
      expect((await exchange(confidential, { code: response.get('code') ?? '' })).body.error).toBe(
        'invalid_grant',
      )
    })
  })

  it('sends a signed-out user to the sign-in page and back', async () => {
    const browser = browserAt(app.url)
    const signIn = await browser.open(authorizationPath(confidential, { state: 'a+b' }))
    expect(signIn.text).toContain('action="/auth/signin"')
    const question = await browser.submit(signIn, '/auth/signin', { username: 'otto', password })
    const answer = await browser.submit(question, '/auth/oauth', { decision: 'allow' })
    expect(redirectParameters(answer).get('state')).toBe('a+b')
  })
})

describeEachDatabase('the implicit flow, if it is enabled', (databases) => {
  const app = useApp(databases, { oauthImplicit: 'true' })

  it('returns only an access token in the fragment', async () => {
    const otto = await app.person('otto')
    const client = await newClient(app, { isPublic: true })
    const parameters = { response_type: 'token', state: 's', access_type: 'offline' }
    const browser = await signedIn(app, otto)
    const answer = await browser.submit(
      await browser.open(authorizationPath(client, parameters)),
      '/auth/oauth',
      {
        decision: 'allow',
      },
    )
    expect(answer.url.startsWith(`${callback}#`)).toBe(true)
    expect(Object.fromEntries(redirectParameters(answer))).toEqual({
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
