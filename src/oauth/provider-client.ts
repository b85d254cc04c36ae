import { createHmac } from 'node:crypto'
import * as openid from 'openid-client'
import { claimAt, type Claims } from '../features/sign-in-providers/claims.ts'
import type { Provider } from '../features/sign-in-providers/providers.ts'
import { type Bounded, bounded } from '../lib/bounded.ts'
import { WebError } from '../lib/web-client.ts'
import type { Context } from '../operation.ts'

const said = { silent: 'does not answer', refuses: 'refuses', notBelieved: 'is not believed' }

/** Why a provider has signed nobody in: it does not answer, it does not want to, or what it says cannot be true. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
  readonly kind: keyof typeof said

  constructor(kind: keyof typeof said, cause: unknown) {
    super(`The provider ${said[kind]}${reasonIn(cause)}`, { cause })
    this.kind = kind
  }
}

/** What it says itself, for the log: `invalid_client`, where the secret is wrong. */
function reasonIn(cause: unknown): string {
  const isSaid = cause instanceof openid.ResponseBodyError || cause instanceof openid.AuthorizationResponseError
  return isSaid ? ` (${[cause.error, cause.error_description].filter(Boolean).join(': ').slice(0, 300)})` : ''
}

/** What is sent along to a provider and compared when somebody comes back; all of it follows from what the browser keeps. */
interface Secrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** @param way a random token, which cannot be told from any of them */
export function secretsOf(way: string): Secrets {
  const derived = (what: string) => createHmac('sha256', way).update(what).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), codeVerifier: derived('code verifier') }
}

export interface ProviderClient {
  /** Where the provider signs people in. @throws ProviderTrouble */
  addressOf(provider: Provider, comingBack: string, secrets: Secrets): Promise<URL>
  /**
   * What it says of who has come back with this address.
   * @throws ProviderTrouble
   */
  claimsOf(provider: Provider, cameBack: URL, secrets: Secrets): Promise<Claims>
}

/** How long it is believed where a provider has its endpoints, and that it does not answer. */
const believed = { found: 60 * 60 * 1000, failed: 10_000 }
/** In seconds, as the tokens have it (RFC 7519): the clocks of a school and its provider may be that much apart. */
const clockTolerance = 30
const timeLimit = 10

/**
 * Asks OpenID providers. What one says of itself is asked for when somebody first wants to sign in with it. Of each thirty
 * people at a time are served, so that one that is slow keeps nobody waiting but its own.
 */
export function providerClient({ web, clock }: Pick<Context, 'web' | 'clock'>): ProviderClient {
  const known = new Map<string, { of: string; configuration: Promise<openid.Configuration>; until: number }>()
  const turns = new Map<string, Bounded>()

  function inTurn<Result>({ name }: Provider, work: () => Promise<Result>): Promise<Result> {
    const turn = turns.get(name) ?? bounded(30, 300)
    turns.set(name, turn)
    return turn(work)
  }

  function configurationOf(provider: Provider): Promise<openid.Configuration> {
    const { name, issuer, client_id, client_secret, rules } = provider
    // Whoever changes these, in whichever process, means from now on.
    const of = JSON.stringify([issuer, client_id, client_secret, rules.isInner])
    const now = clock.now()
    const found = known.get(name)
    if (found && found.of === of && found.until > now) return found.configuration
    const configuration = discover(provider)
    const entry = { of, configuration, until: now + believed.found }
    known.set(name, entry)
    configuration.catch(() => {
      entry.until = clock.now() + believed.failed
    })
    return configuration
  }

  async function discover({ issuer, client_id, client_secret, rules }: Provider): Promise<openid.Configuration> {
    const server = new URL(issuer)
    const inner = rules.isInner ? server.hostname : undefined
    const configuration = await openid.discovery(
      server,
      client_id,
      { client_secret, [openid.clockTolerance]: clockTolerance },
      clientAuthentication(client_secret),
      {
        timeout: timeLimit,
        [openid.customFetch]: (address, { method, headers, body }) =>
          web.send(address, { method, headers, body: body?.toString() }, inner),
        // Signatures are looked at although the tokens come from the provider itself. Where http is let in, the web client says.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    )
    // The library lets some of Microsoft's be others than they were asked as.
    const said = configuration.serverMetadata().issuer
    if (URL.parse(said)?.href !== server.href) throw new Error(`${issuer} says that it is ${said}`)
    return configuration
  }

  return {
    addressOf: (provider, comingBack, secrets) =>
      inTurn(provider, async () => {
        const configuration = await configurationOf(provider).catch(unanswered)
        const parameters = await parametersOf(provider, comingBack, secrets)
        try {
          return openid.buildAuthorizationUrl(configuration, parameters)
        } catch (error) {
          throw new ProviderTrouble('notBelieved', error)
        }
      }),
    claimsOf: (provider, cameBack, { state, nonce, codeVerifier }) =>
      inTurn(provider, async () => {
        const configuration = await configurationOf(provider).catch(unanswered)
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
        try {
          const tokens = await openid.authorizationCodeGrant(configuration, cameBack, checks)
          const claims = tokens.claims()
          if (!claims) throw new Error('There is no ID token')
          // OpenID Connect Core 1.0, section 2.
          if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new Error('The ID token has a `sub` that is none')
          return await completed(configuration, provider, tokens.access_token, claims)
        } catch (error) {
          throw new ProviderTrouble(kindOf(error), error)
        }
      }),
  }
}

async function parametersOf(
  { rules: { prompt } }: Provider,
  comingBack: string,
  { state, nonce, codeVerifier }: Secrets,
): Promise<Record<string, string>> {
  return {
    redirect_uri: comingBack,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(prompt !== null && { prompt }),
  }
}

/** As the provider would have it; where it does not say, as OpenID Connect Discovery 1.0, section 3, has it. */
function clientAuthentication(secret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

/** With what only the userinfo endpoint says, where that is wanted: some put little into the ID token. */
async function completed(
  configuration: openid.Configuration,
  { rules }: Provider,
  accessToken: string,
  claims: Claims,
): Promise<Claims> {
  const { addressClaim, roleClaim } = rules
  const wanted = [addressClaim, 'given_name', ...(roleClaim === null ? [] : [roleClaim])]
  const hasAll = wanted.every((name) => claimAt(claims, name) !== undefined)
  if (hasAll || !configuration.serverMetadata().userinfo_endpoint) return claims
  const { email, email_verified, ...others } = await openid.fetchUserInfo(configuration, accessToken, claims.sub)
  // What is said of one address says nothing of another.
  const address = claims.email === undefined ? { email, email_verified } : {}
  return { ...others, ...address, ...claims }
}

function unanswered(error: unknown): never {
  throw new ProviderTrouble('silent', error)
}

function kindOf(error: unknown): ProviderTrouble['kind'] {
  if (error instanceof openid.AuthorizationResponseError) return 'refuses'
  const isUnanswered = error instanceof Error && (error instanceof WebError || error.cause instanceof WebError)
  return isUnanswered ? 'silent' : 'notBelieved'
}
