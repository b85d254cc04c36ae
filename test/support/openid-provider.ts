import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Adapter, type AdapterPayload, type KoaContextWithOIDC, Provider as OpenIdProvider } from 'oidc-provider'
import { type Provider, type ProviderRules, plainRules } from '../../src/features/sign-in-providers/providers.ts'
import { insertProvider } from '../../src/features/sign-in-providers/store.ts'
import type { TestApp } from './app.ts'
import { type Browser, browserAt, type Shown } from './browser.ts'
import { freePort } from './program.ts'

/** An OpenID provider that is really running, on this machine. */
export interface RunningProvider {
  readonly issuer: string
  /** Who has an account there: subject → claims. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** Who gives the password there when somebody is to be signed in; nobody does where it is undefined. */
  visitor: string | undefined
  /** The paths of what it was asked. */
  readonly asked: string[]
  close(): Promise<void>
}

export const clientId = 'partita'
export const clientSecret = 'a secret: +/%'

/**
 * @param app where people are sent back to
 * @param names of the providers as which the app knows it
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
    adapter: keptInMemory(),
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
    // Nobody is asked what they allow: the school has done so for all.
    async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
      const grant = new provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    cookies: { keys: ['one key'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'one', alg: 'RS256' }] },
    ttl: { Grant: 600, Session: 600, Interaction: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
  })
  const answer = provider.callback()
  const running: RunningProvider = {
    issuer,
    people,
    visitor: undefined,
    asked: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((request, response) => {
    running.asked.push(request.url?.split('?')[0] ?? '')
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    const { visitor } = running
    const result = visitor ? { login: { accountId: visitor } } : { error: 'access_denied' }
    provider.interactionFinished(request, response, result).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(Number(new URL(issuer).port), '127.0.0.1')
  await once(server, 'listening')
  return running
}

/** As the provider would do by itself, with a warning that nothing outlasts it. */
function keptInMemory(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  return (model) => {
    const key = (id: string) => `${model} ${id}`
    return {
      upsert: async (id, payload) => void kept.set(key(id), payload),
      find: async (id) => kept.get(key(id)),
      findByUid: async (uid) => kept.values().find((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      consume: async (id) => void Object.assign(kept.get(key(id)) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id) => void kept.delete(key(id)),
      async revokeByGrantId(grant) {
        for (const [id, { grantId }] of kept) if (grantId === grant) kept.delete(id)
      },
    }
  }
}

/** Lets the members of an organization sign in with a provider. */
export async function addProvider(
  { ctx }: TestApp,
  about: { name: string; organization: string; issuer: string } & Partial<ProviderRules>,
): Promise<Provider> {
  const { name, organization, issuer, ...rules } = about
  const provider: Provider = {
    name,
    organization_id: organization,
    label: 'School account',
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
    rules: { ...plainRules, isInner: true, ...rules },
    created_at: ctx.clock.now(),
  }
  await ctx.transaction((tx) => insertProvider(tx, provider))
  return provider
}

/** The address to which a provider sends somebody back, whom this browser has sent there. */
export async function cameBack(provider: RunningProvider, browser: Browser, path: string, visitor?: string) {
  const away = await browser.open(path)
  if (!away.url.startsWith(provider.issuer)) throw new Error(`${away.status}: ${away.text}`)
  provider.visitor = visitor
  const { url, status, text } = await browserAt(provider.issuer).open(away.url)
  if (url.startsWith(provider.issuer)) throw new Error(`${status}: ${text}`)
  return url
}

/** What somebody sees who signs in with a provider. */
export async function comeBy(
  provider: RunningProvider,
  browser: Browser,
  name: string,
  visitor?: string,
  next = '/healthz',
): Promise<Shown> {
  const path = `/auth/oidc/${name}?${new URLSearchParams({ next })}`
  return browser.open(await cameBack(provider, browser, path, visitor))
}
