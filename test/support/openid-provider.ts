import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import {
  type Adapter,
  type AdapterPayload,
  type KoaContextWithOIDC,
  Provider as OpenIdProvider,
} from 'oidc-provider'
import { type Provider, type ProviderRules, plainRules } from '../../src/auth/providers/providers.ts'
import { sealClientSecret } from '../../src/auth/providers/client-secrets.store.ts'
import { insertProvider } from '../../src/auth/providers/store.ts'
import type { TestApp } from './app.ts'
import { type Browser, browserAt, type BrowserPage } from './browser.ts'
import { freePort } from './program.ts'

/** A real OpenID provider that runs on this machine. */
export interface RunningProvider {
  readonly issuer: string
  /** The accounts of the provider: subject → claims. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** The subject that the provider signs in. If undefined, the provider answers access_denied. */
  sessionUser: string | undefined
  /** The paths of all received requests. */
  readonly requests: string[]
  close(): Promise<void>
}

export const clientId = 'partita'
export const clientSecret = 'a secret: +/%'

/**
 * Starts a provider on a free port.
 * @param app the server that the provider redirects users back to
 * @param names the names under which the app registers this provider
 */
export async function startOpenIdProvider(
  app: TestApp,
  names: readonly string[],
  issuer?: string,
): Promise<RunningProvider> {
  return startAt(issuer ?? `http://127.0.0.1:${await freePort()}`, app, names)
}

async function startAt(issuer: string, app: TestApp, names: readonly string[]): Promise<RunningProvider> {
  const people = new Map<string, Readonly<Record<string, unknown>>>()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new OpenIdProvider(issuer, {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: names.map((name) => `${app.url}/auth/oidc/${name}/callback`),
      },
    ],
    findAccount: async (_ctx: KoaContextWithOIDC, sub: string) => ({
      accountId: sub,
      claims: async () => ({ ...people.get(sub), sub }),
    }),
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'preferred_username', 'locale', 'groups'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: KoaContextWithOIDC, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Users see no consent page, because the school has consented for all of them.
    async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    cookies: { keys: ['one key'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'one', alg: 'RS256' }] },
    ttl: {
      Grant: 600,
      Session: 600,
      Interaction: 600,
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
    },
  })
  const answer = provider.callback()
  const running: RunningProvider = {
    issuer,
    people,
    sessionUser: undefined,
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    running.requests.push(request.url?.split('?')[0] ?? '')
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    const { sessionUser: subject } = running
    const result = subject ? { login: { accountId: subject } } : { error: 'access_denied' }
    provider
      .interactionFinished(request, response, result)
      .catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(Number(new URL(issuer).port), '127.0.0.1')
  await once(server, 'listening')
  return running
}

/** Creates an in-memory store. The default store of the provider also is in memory, but logs a warning. */
function createMemoryAdapter(): (model: string) => Adapter {
  const entries = new Map<string, AdapterPayload>()
  return (model) => {
    const key = (id: string) => `${model} ${id}`
    return {
      upsert: async (id, payload) => void entries.set(key(id), payload),
      find: async (id) => entries.get(key(id)),
      findByUid: async (uid) => entries.values().find((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      consume: async (id) =>
        void Object.assign(entries.get(key(id)) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id) => void entries.delete(key(id)),
      async revokeByGrantId(grant) {
        for (const [id, { grantId }] of entries) if (grantId === grant) entries.delete(id)
      },
    }
  }
}

/** Registers a provider with which the members of an organization can sign in. */
export async function addProvider(
  { ctx }: TestApp,
  properties: { name: string; organization: string; issuer: string } & Partial<ProviderRules>,
): Promise<Provider> {
  const { name, organization, issuer, ...rules } = properties
  const provider: Provider = {
    name,
    organization_id: organization,
    label: 'School account',
    issuer,
    client_id: clientId,
    client_secret: sealClientSecret(ctx, name, clientSecret),
    rules: { ...plainRules, isInner: true, ...rules },
    created_at: ctx.clock.now(),
  }
  await ctx.transaction((tx) => insertProvider(tx, provider))
  return provider
}

/**
 * Signs in at the provider that this path leads to. Returns the address that the provider redirects the user
 * back to.
 */
export async function cameBack(
  provider: RunningProvider,
  browser: Browser,
  path: string,
  sessionUser?: string,
) {
  const redirect = await browser.open(path)
  if (!redirect.url.startsWith(provider.issuer)) throw new Error(`${redirect.status}: ${redirect.text}`)
  provider.sessionUser = sessionUser
  const { url, status, text } = await browserAt(provider.issuer).open(redirect.url)
  if (url.startsWith(provider.issuer)) throw new Error(`${status}: ${text}`)
  return url
}

/** Signs in with a provider. Returns the page that the user sees then. */
export async function signInWithProvider(
  provider: RunningProvider,
  browser: Browser,
  name: string,
  sessionUser?: string,
  next = '/healthz',
): Promise<BrowserPage> {
  const path = `/auth/oidc/${name}?${new URLSearchParams({ next })}`
  return browser.open(await cameBack(provider, browser, path, sessionUser))
}
