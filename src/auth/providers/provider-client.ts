import { createHmac } from 'node:crypto'
import * as openid from 'openid-client'
import { claimAt, type Claims } from './claims.ts'
import { clientSecretOf } from './client-secrets.store.ts'
import type { Provider } from './providers.ts'
import { type ConcurrencyLimiter, concurrencyLimiter } from '../../lib/concurrency-limiter.ts'
import { WebError } from '../../platform/web-client/web-client.ts'
import type { Context } from '../../context.ts'
import { hour } from '../../lib/durations.ts'

const problems = {
  noResponse: 'does not respond',
  refused: 'refused the sign-in',
  unverified: 'sent a response that could not be verified',
}

/** The provider has not signed the user in: it does not respond, refuses, or sends an invalid response. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: keyof typeof problems

  constructor(kind: keyof typeof problems, cause: unknown) {
    super(`The provider ${problems[kind]}${errorCodeOf(cause)}`, { cause })
    this.kind = kind
  }
}

/** Returns the error code of the provider for the log, such as `invalid_client` for a wrong secret. */
function errorCodeOf(cause: unknown): string {
  const hasMessage =
    cause instanceof openid.ResponseBodyError || cause instanceof openid.AuthorizationResponseError
  return hasMessage
    ? ` (${[cause.error, cause.error_description].filter(Boolean).join(': ').slice(0, 300)})`
    : ''
}

/**
 * The values that are sent to the provider and verified when the user returns. All are derived from the token
 * in the cookie.
 */
interface Secrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/**
 * Derives the secrets.
 * @param signInToken the random token in the cookie; it cannot be computed from the secrets
 */
export function deriveSecrets(signInToken: string): Secrets {
  const derived = (purpose: string) => createHmac('sha256', signInToken).update(purpose).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), codeVerifier: derived('code verifier') }
}

export interface ProviderClient {
  /**
   * Returns the authorization URL of the provider.
   * @param caller the network of the client. Networks that wait for the provider are served in turn.
   * @throws ProviderError, SERVER_BUSY
   */
  authorizationUrlOf(provider: Provider, callbackUrl: string, secrets: Secrets, caller: string): Promise<URL>
  /**
   * Exchanges the code in the callback URL for the claims about the user.
   * @param caller as above
   * @throws ProviderError, SERVER_BUSY
   */
  claimsOf(provider: Provider, callbackUrl: URL, secrets: Secrets, caller: string): Promise<Claims>
}

/** How long the metadata of a provider and a failure to fetch it are cached, in milliseconds. */
const cacheTtls = { found: hour, failed: 10_000 }
/** The tolerated clock difference in seconds (RFC 7519). */
const clockTolerance = 30
const timeLimit = 10

/**
 * Creates the client for OpenID providers. It fetches the metadata of a provider on the first sign-in. It
 * serves 30 requests per provider at the same time, so that a slow provider does not delay others, and at most 15 of one network.
 */
export function providerClient({
  web,
  clock,
  secrets,
}: Pick<Context, 'web' | 'clock' | 'secrets'>): ProviderClient {
  const known = new Map<string, { of: string; configuration: Promise<openid.Configuration>; until: number }>()
  const limiters = new Map<string, ConcurrencyLimiter>()

  function limited<Result>({ name }: Provider, caller: string, work: () => Promise<Result>): Promise<Result> {
    const limiter =
      limiters.get(name) ?? concurrencyLimiter({ slots: 30, maxWaiting: 300, maxWaitingPerCaller: 100 })
    limiters.set(name, limiter)
    return limiter.run({ caller }, work)
  }

  function configurationOf(provider: Provider): Promise<openid.Configuration> {
    const { name, issuer, client_id, client_secret, rules } = provider
    // A change of these settings, in any process, takes effect immediately.
    const of = JSON.stringify([issuer, client_id, client_secret, rules.isInner])
    const now = clock.now()
    const cached = known.get(name)
    if (cached && cached.of === of && cached.until > now) return cached.configuration
    // Outside of the promise, so that a missing key is no failure of the provider.
    const configuration = discover(provider, clientSecretOf({ secrets }, provider))
    const entry = { of, configuration, until: now + cacheTtls.found }
    known.set(name, entry)
    configuration.catch(() => {
      entry.until = clock.now() + cacheTtls.failed
    })
    return configuration
  }

  async function discover(
    { issuer, client_id, rules }: Provider,
    client_secret: string,
  ): Promise<openid.Configuration> {
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
        // Signatures are verified although the tokens come directly from the provider. The web client decides
        // whether http is permitted.
        execute: [
          openid.enableNonRepudiationChecks,
          ...(server.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      },
    )
    // The library accepts other issuers for some tenants of Microsoft.
    const announced = configuration.serverMetadata().issuer
    if (URL.parse(announced)?.href !== server.href)
      throw new Error(`${issuer} announces the issuer ${announced}`)
    return configuration
  }

  return {
    authorizationUrlOf: (provider, callbackUrl, secrets, caller) =>
      limited(provider, caller, async () => {
        const configuration = await configurationOf(provider).catch(failSilent)
        const parameters = await parametersOf(provider, callbackUrl, secrets)
        try {
          return openid.buildAuthorizationUrl(configuration, parameters)
        } catch (error) {
          throw new ProviderError('unverified', error)
        }
      }),
    claimsOf: (provider, callbackUrl, { state, nonce, codeVerifier }, caller) =>
      limited(provider, caller, async () => {
        const configuration = await configurationOf(provider).catch(failSilent)
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier }
        try {
          const tokens = await openid.authorizationCodeGrant(configuration, callbackUrl, checks)
          const claims = tokens.claims()
          if (!claims) throw new Error('The ID token is missing')
          // The syntax of `sub`: OpenID Connect Core 1.0, section 2.
          if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw new Error('The ID token has an invalid `sub`')
          return await withUserInfo(configuration, provider, tokens.access_token, claims)
        } catch (error) {
          throw new ProviderError(kindOf(error), error)
        }
      }),
  }
}

async function parametersOf(
  { rules: { prompt } }: Provider,
  callbackUrl: string,
  { state, nonce, codeVerifier }: Secrets,
): Promise<Record<string, string>> {
  return {
    redirect_uri: callbackUrl,
    scope: 'openid profile email',
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(prompt !== null && { prompt }),
  }
}

/**
 * Returns the client authentication method that the provider announces, or the default of OpenID Connect
 * Discovery 1.0, section 3.
 */
function clientAuthentication(secret: string): openid.ClientAuth {
  const [inBody, inHeader] = [openid.ClientSecretPost(secret), openid.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    return (methods.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

/**
 * Adds the claims of the userinfo endpoint if the rules need claims that are not in the ID token. Some
 * providers put few claims there.
 */
async function withUserInfo(
  configuration: openid.Configuration,
  { rules }: Provider,
  accessToken: string,
  claims: Claims,
): Promise<Claims> {
  const { addressClaim, roleClaim } = rules
  const names = [addressClaim, 'given_name', ...(roleClaim === null ? [] : [roleClaim])]
  const hasAll = names.every((name) => claimAt(claims, name) !== undefined)
  if (hasAll || !configuration.serverMetadata().userinfo_endpoint) return claims
  const { email, email_verified, ...others } = await openid.fetchUserInfo(
    configuration,
    accessToken,
    claims.sub,
  )
  // `email_verified` of one address does not apply to another.
  const address = claims.email === undefined ? { email, email_verified } : {}
  return { ...others, ...address, ...claims }
}

function failSilent(error: unknown): never {
  throw new ProviderError('noResponse', error)
}

function kindOf(error: unknown): ProviderError['kind'] {
  if (error instanceof openid.AuthorizationResponseError) return 'refused'
  const isUnanswered =
    error instanceof Error && (error instanceof WebError || error.cause instanceof WebError)
  return isUnanswered ? 'noResponse' : 'unverified'
}
