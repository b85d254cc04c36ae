import { FlatClient, noRetry } from 'flat-api'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useApp } from '../support/app.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { usingDatabases } from '../support/databases.ts'
import { type EmbeddingSite, embeddingSite } from '../support/embedding-site.ts'
import { newClient } from '../support/oauth.ts'
import { password } from '../support/sessions.ts'
import { emptyPiano } from '../support/scores.ts'

// The library accepts http only with this option.
const insecure = { [oauth.allowInsecureRequests]: true }

describeInBrowser('a third-party app', (browser) => {
  const app = useApp(usingDatabases('sqlite'))
  let site: EmbeddingSite

  beforeAll(async () => {
    site = await embeddingSite()
  })
  afterAll(() => site?.close())

  it('gets access with the consent of the user, refreshes its token, and loses access when the user revokes it', async () => {
    await app.person('otto')
    const callback = `${site.url}/callback`
    const { id } = await newClient(app, { isPublic: true, redirectUris: [callback] })
    const issuer = new URL(app.url)
    const server = await oauth
      .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
    const client: oauth.Client = { client_id: id }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint ?? '')
    address.search = new URLSearchParams({
      client_id: id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'scores account.public_profile',
      access_type: 'offline',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()

    const { page } = await browser.open(undefined, { baseURL: app.url })
    await page.goto(address.href)
    await page.getByLabel('Username or e-mail address').fill('otto')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Practice room asks for access' }).waitFor()
    await page.getByText('See, create, change and delete your scores').waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${callback}**`)

    const parameters = oauth.validateAuthResponse(server, client, new URL(page.url()), state)
    const none = oauth.None()
    const tokens = await oauth
      .authorizationCodeGrantRequest(server, client, none, parameters, callback, verifier, insecure)
      .then((response) => oauth.processAuthorizationCodeResponse(server, client, response))
    const renewed = await oauth
      .refreshTokenGrantRequest(server, client, none, tokens.refresh_token ?? '', insecure)
      .then((response) => oauth.processRefreshTokenResponse(server, client, response))
    const flatWith = (accessToken: string) =>
      new FlatClient({ accessToken, baseUrl: `${app.url}/v2`, retry: noRetry })
    const score = await flatWith(renewed.access_token).scores.createScore({ body: emptyPiano('By an app') })
    expect(score.title).toBe('By an app')

    await page.goto('/account')
    await page.getByRole('button', { name: 'Revoke Practice room' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('status').getByText('Practice room was removed.').waitFor()
    for (const { access_token } of [tokens, renewed]) {
      await expect(flatWith(access_token).account.getAuthenticatedUser()).rejects.toMatchObject({
        status: 401,
      })
    }
    const again = await oauth.refreshTokenGrantRequest(
      server,
      client,
      none,
      renewed.refresh_token ?? '',
      insecure,
    )
    await expect(oauth.processRefreshTokenResponse(server, client, again)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})
