import { FlatClient, noRetry, OAuth2Helper, type Tokens } from 'flat-api'
import * as oauth from 'oauth4webapi'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { browserAt } from '../support/browser.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { allow, callback, newClient, redirectParameters } from '../support/oauth.ts'
import { password, signedIn } from '../support/sessions.ts'
import { emptyPiano } from '../support/scores.ts'

/** Tests apps of third parties with the OAuth libraries that they would use. */
describeEachDatabase('a third-party app', (databases) => {
  const app = useApp(databases)
  let otto: Person
  beforeAll(async () => {
    otto = await app.person('otto')
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  // The library refuses http URLs by default.
  const insecure = { [oauth.allowInsecureRequests]: true }

  it('in a browser: discovers the endpoints, signs in with PKCE, calls the API, refreshes and revokes its token', async () => {
    const { id } = await newClient(app, { isPublic: true })
    const issuer = new URL(app.url)
    const server = await oauth
      .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
    const client: oauth.Client = { client_id: id }
    const none = oauth.None()

    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint ?? '')
    for (const [name, value] of Object.entries({
      client_id: id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'scores collections account.public_profile',
      access_type: 'offline',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })) {
      address.searchParams.set(name, value)
    }

    // Otto is not signed in yet, so the consent page redirects to the sign-in page.
    const browser = browserAt(app.url)
    const signIn = await browser.open(address.href)
    const question = await browser.submit(signIn, '/auth/signin', { username: 'otto', password })
    expect(question.text).toContain('Practice room asks for access')
    for (const words of [
      'See, create, change and delete your scores',
      'See, create, change and delete your collections',
    ]) {
      expect(question.text).toContain(words)
    }
    const answer = await browser.submit(question, '/auth/oauth', { decision: 'allow' })
    expect(answer.url.startsWith(`${callback}?`)).toBe(true)

    const parameters = oauth.validateAuthResponse(server, client, new URL(answer.url), state)
    const exchange = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      none,
      parameters,
      callback,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 86_400, user: otto.id })
    expect(Date.parse(String(tokens.issued_at))).toBeGreaterThan(Date.now() - 60_000)

    const flat = new FlatClient({
      accessToken: tokens.access_token,
      baseUrl: `${app.url}/v2`,
      retry: noRetry,
    })
    const score = await flat.scores.createScore({ body: emptyPiano('By an app') })
    expect(score.title).toBe('By an app')
    const inApp = await flat.collections.listCollectionScores({ collection: 'app' })
    expect(inApp.map(({ id }) => id)).toEqual([score.id])
    expect((await flat.collections.getCollection({ collection: 'app' })).title).toBe('Practice room')

    const renewal = await oauth.refreshTokenGrantRequest(
      server,
      client,
      none,
      tokens.refresh_token ?? '',
      insecure,
    )
    const renewed = await oauth.processRefreshTokenResponse(server, client, renewal)
    expect(renewed.access_token).not.toBe(tokens.access_token)
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, none, renewed.refresh_token ?? '', insecure),
    )
    for (const accessToken of [tokens.access_token, renewed.access_token]) {
      const ended = new FlatClient({ accessToken, baseUrl: `${app.url}/v2`, retry: noRetry })
      await expect(ended.account.getAuthenticatedUser()).rejects.toMatchObject({ status: 401 })
    }
  })

  it('with a secret: authenticates with HTTP Basic and introspects a token', async () => {
    const { id, secret = '' } = await newClient(app)
    const issuer = new URL(app.url)
    const server = await oauth
      .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
    const client: oauth.Client = { client_id: id }
    const browser = await signedIn(app, otto)
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'scores',
    })
    const redirect = await allow(browser, `/auth/oauth?${query}`)
    const parameters = oauth.validateAuthResponse(server, client, redirect, oauth.expectNoState)
    const byBasic = oauth.ClientSecretBasic(secret)
    const exchange = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      byBasic,
      parameters,
      callback,
      oauth.nopkce,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange)
    expect(tokens.refresh_token).toBeUndefined()
    const response = await oauth.introspectionRequest(server, client, byBasic, tokens.access_token, insecure)
    expect(await oauth.processIntrospectionResponse(server, client, response)).toMatchObject({
      active: true,
      client_id: id,
      scope: 'scores',
      sub: otto.id,
      token_type: 'bearer',
    })
  })

  it('works with the OAuth helper of the official client, whose endpoints are fixed', async () => {
    const { id, secret = '' } = await newClient(app)
    const helper = new OAuth2Helper(id, secret, callback)
    const originalFetch = fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const address = new URL(String(input))
      return originalFetch(
        address.hostname.endsWith('flat.io') ? app.url + address.pathname + address.search : input,
        init,
      )
    })
    const address = new URL(helper.authorizeUrl(['scores', 'account.public_profile'], 'somewhere in the app'))
    const browser = await signedIn(app, otto)
    const response = await allow(browser, address.pathname + address.search)
    expect(response.get('state')).toBe('somewhere in the app')
    const tokens = await helper.exchangeCode(response.get('code') ?? '')
    const renewedTokens: Tokens[] = []
    const flat = new FlatClient({
      tokens: { ...tokens, expiresAt: Date.now() },
      oauth: helper,
      onTokenRefresh: (renewed) => void renewedTokens.push(renewed),
      baseUrl: `${app.url}/v2`,
      retry: noRetry,
    })
    const me = await Promise.all([flat.account.getAuthenticatedUser(), flat.account.getAuthenticatedUser()])
    expect(me.map(({ id }) => id)).toEqual([otto.id, otto.id])
    expect(renewedTokens).toHaveLength(1)
    expect(renewedTokens[0]?.refreshToken).not.toBe(tokens.refreshToken)
    await expect(helper.refresh(tokens.refreshToken ?? '')).rejects.toThrow('re-authorize')
    await expect(flat.account.getAuthenticatedUser()).rejects.toMatchObject({ status: 401 })
  })

  it('receives an error when the user denies access', async () => {
    const { id } = await newClient(app)
    const query = new URLSearchParams({ client_id: id, response_type: 'code', scope: 'scores', state: 'x y' })
    const browser = await signedIn(app, otto)
    const answer = await browser.submit(await browser.open(`/auth/oauth?${query}`), '/auth/oauth', {
      decision: 'deny',
    })
    expect(Object.fromEntries(redirectParameters(answer))).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'x y',
      iss: app.url,
    })
  })
})
