import { insertApp } from '../../src/auth/oauth-server/apps/store.ts'
import { prepareApp } from '../../src/auth/oauth-server/apps/registration.ts'
import type { Person, TestApp } from './app.ts'
import type { Browser, BrowserPage } from './browser.ts'
import { signedIn } from './sessions.ts'

/** A registered app. A public app has no secret. */
export interface TestClient {
  readonly id: string
  readonly secret: string | undefined
  readonly redirectUri: string
}

export const callback = 'https://app.example/callback'

export async function newClient(
  { ctx }: TestApp,
  { isPublic = false, name = 'Practice room', redirectUris = [callback] } = {},
): Promise<TestClient> {
  const { app, secret } = prepareApp(ctx, { name, redirectUris, isPublic, owner: null })
  await ctx.transaction((tx) => insertApp(tx, app, redirectUris))
  return { id: app.id, secret, redirectUri: redirectUris[0] ?? '' }
}

export type Parameters = Readonly<Record<string, string | undefined>>

/** Returns the path of the authorization request of this app. Undefined parameters are left out. */
export function authorizationPath(client: TestClient, parameters: Parameters = {}): string {
  const query = new URLSearchParams()
  const all = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    scope: 'scores',
  }
  for (const [name, value] of Object.entries({ ...all, ...parameters }))
    if (value !== undefined) query.set(name, value)
  return `/auth/oauth?${query}`
}

/** Allows the authorization request. Returns the parameters that the app receives. */
export async function allow(browser: Browser, path: string): Promise<URLSearchParams> {
  return redirectParameters(
    await browser.submit(await browser.open(path), '/auth/oauth', { decision: 'allow' }),
  )
}

/** Returns the parameters of a redirect to the app. */
export function redirectParameters(shown: BrowserPage): URLSearchParams {
  const { search, hash } = new URL(shown.url)
  return new URLSearchParams(search || hash.slice(1))
}

/** Sends a request to an OAuth endpoint. The app authenticates with parameters of the form. */
export async function ask(
  { url }: TestApp,
  endpoint: 'access_token' | 'invalidate_token' | 'introspect',
  client: TestClient,
  parameters: Parameters,
) {
  const form = new URLSearchParams()
  const all = { client_id: client.id, client_secret: client.secret, ...parameters }
  for (const [name, value] of Object.entries(all)) if (value !== undefined) form.set(name, value)
  const response = await fetch(`${url}/oauth/${endpoint}`, { method: 'POST', body: form })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** Gets tokens of a user for an app by the authorization code grant. */
export async function tokensFor(
  app: TestApp,
  person: Person,
  client: TestClient,
  parameters: Parameters = {},
) {
  const redirected = await allow(await signedIn(app, person), authorizationPath(client, parameters))
  const exchange = {
    grant_type: 'authorization_code',
    code: redirected.get('code') ?? '',
    redirect_uri: client.redirectUri,
  }
  const { status, body } = await ask(app, 'access_token', client, exchange)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as { access_token: string; refresh_token?: string; scope: string; user: string }
}
