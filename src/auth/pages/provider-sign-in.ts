import type { FastifyInstance } from 'fastify'
import { tryAttempt } from '../throttling/attempt-limits.store.ts'
import { type Claims, providerUserOf } from '../providers/claims.ts'
import {
  findProvider,
  insertProviderSignIn,
  type ProviderOf,
  consumeProviderSignIn,
} from '../providers/store.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { cookie, cookieOf } from '../../http/cookies.ts'
import { html } from '../../http/html.ts'
import { networkOf } from '../../http/network.ts'
import { type PageResponse, pageResponse, pageRoute, withCookies } from '../../http/page.ts'
import { findSessionUser } from '../sessions/session-user.ts'
import { hashToken, isToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { textsFor } from '../../texts/texts.ts'
import { minutesOf, secondsUntil } from '../throttling/next-attempt.ts'
import { redirectTo, wrongNotice } from './pages.ts'
import { withProviderAccount, type SignInRefusal } from './provider-accounts.ts'
import { providerClient, ProviderError, deriveSecrets } from '../providers/provider-client.ts'
import { providerSignInPath } from './provider-links.ts'
import { nextOf, replaceSession, signedInRedirect } from './sign-in.ts'
import { minute } from '../../lib/durations.ts'

type ProviderRoute = { Params: { name: string }; Querystring: { next?: string } }

/** The time in milliseconds in which the user must return from the provider. */
const signInLifetimeMs = 10 * minute
/**
 * The maximum number of started sign-ins per network in 15 minutes. A school usually has one network, and
 * each sign-in is a row.
 */
const maxStartedSignIns = 1000
const cookieName = 'partita_provider_signin'

const statuses = {
  unknownProvider: 404,
  notStarted: 400,
  noResponse: 502,
  refused: 403,
  unverified: 502,
  noAccount: 403,
  otherDomain: 403,
  ambiguousAccount: 409,
  organizationFull: 402,
} satisfies Record<SignInRefusal | ProviderError['kind'] | 'unknownProvider' | 'notStarted', number>
type SignInProblem = keyof typeof statuses

/**
 * Sign-in with an account at an OpenID provider (OpenID Connect Core 1.0, section 3.1). Each provider has its
 * own redirect URI, which prevents mix-up attacks (RFC 9700, section 4.4).
 */
export function providerSignIn(scope: FastifyInstance, ctx: Context): void {
  const client = providerClient(ctx)
  const { publicUrl } = ctx.config
  const url = '/auth/oidc/:name'
  const callbackUrlOf = ({ name }: ProviderOf) => `${publicUrl}/auth/oidc/${name}/callback`

  pageRoute<ProviderRoute>(scope, 'GET', url, async (request) => {
    const next = nextOf(request.query.next)
    const sessionUser = await findSessionUser(ctx, request.headers)
    if (sessionUser && !sessionUser.isDelegated) return redirectTo(ctx, next)
    const provider = await findProvider(ctx.db.read, request.params.name)
    if (!provider) return problemPage(request, 'unknownProvider')
    const signInToken = newToken('providerSignIn')
    try {
      const authorizationUrl = await client.authorizationUrlOf(
        provider,
        callbackUrlOf(provider),
        deriveSecrets(signInToken),
        networkOf(request.ip),
      )
      const signIn = { hash: hashToken(signInToken), provider: provider.name, destination: next }
      const limits = [{ key: ['provider-sign-in', networkOf(request.ip)], max: maxStartedSignIns }]
      const refusedUntil = await ctx.transaction(async (tx) => {
        const until = await tryAttempt(ctx, tx, limits)
        if (until === undefined)
          await insertProviderSignIn(tx, { ...signIn, expires_at: ctx.clock.now() + signInLifetimeMs })
        return until
      })
      if (refusedUntil !== undefined) return tooManyPage(request, secondsUntil(ctx, refusedUntil))
      return redirectTo(ctx, authorizationUrl.href, [
        cookie(cookieName, signInToken, signInLifetimeMs, publicUrl),
      ])
    } catch (error) {
      return problemPage(request, problemOf(error, request), provider, next)
    }
  })

  pageRoute<ProviderRoute>(scope, 'GET', `${url}/callback`, async (request) => {
    const provider = await findProvider(ctx.db.read, request.params.name)
    if (!provider) return problemPage(request, 'unknownProvider')
    const callbackUrl = new URL(callbackUrlOf(provider))
    callbackUrl.search = new URL(request.url, publicUrl).search
    const signInToken = cookieOf(request.headers, cookieName, publicUrl)
    const destination = await consumeStartedSignIn(signInToken, provider, callbackUrl)
    if (signInToken === undefined || destination === undefined)
      return problemPage(request, 'notStarted', provider)
    const response = await signInResponse(request, provider, destination, () =>
      client.claimsOf(provider, callbackUrl, deriveSecrets(signInToken), networkOf(request.ip)),
    )
    return withCookies(response, cookie(cookieName, undefined, 0, publicUrl))
  })

  /** Signs in the user of these claims. Returns the redirect, or a page that says why it is not possible. */
  async function signInResponse(
    request: RequestHeaders,
    provider: ProviderOf,
    destination: string,
    readClaims: () => Promise<Claims>,
  ): Promise<PageResponse> {
    try {
      const arrived = await startProviderSession(request, provider, await readClaims())
      if ('refused' in arrived) return problemPage(request, arrived.refused, provider, destination)
      return signedInRedirect(ctx, request, arrived.done, destination)
    } catch (error) {
      return problemPage(request, problemOf(error, request), provider, destination)
    }
  }

  /**
   * Uses up a sign-in that this browser has started, and returns its destination. Only one of several concurrent
   * requests succeeds.
   */
  async function consumeStartedSignIn(
    signInToken: string | undefined,
    provider: ProviderOf,
    callbackUrl: URL,
  ): Promise<string | undefined> {
    if (signInToken === undefined || !isToken('providerSignIn', signInToken)) return undefined
    // Checked first, so that an attacker who sends a browser here cannot use up its started sign-in.
    const states = callbackUrl.searchParams.getAll('state')
    if (states.length !== 1 || states[0] !== deriveSecrets(signInToken).state) return undefined
    const signIn = { hash: hashToken(signInToken), provider: provider.name, now: ctx.clock.now() }
    return ctx.transaction((tx) => consumeProviderSignIn(tx, signIn))
  }

  /** Starts the session. The provider is responsible for the second factor, as it is for the password. */
  function startProviderSession(request: RequestHeaders, provider: ProviderOf, claims: Claims) {
    const { language } = textsFor(request.headers)
    const arrival = {
      provider,
      subject: claims.sub,
      providerUser: providerUserOf(provider, claims),
      language,
    }
    const event = { action: 'user.signed-in-by-provider', details: { provider: provider.name } } as const
    return withProviderAccount(ctx, arrival, async (tx, user) => ({
      user,
      session: await replaceSession(ctx, tx, request, user, event),
    }))
  }
}

function problemOf(error: unknown, { log, id }: RequestHeaders): SignInProblem {
  if (!(error instanceof ProviderError)) throw error
  log.warn({ err: error, request: id }, 'sign-in with a provider')
  return error.kind
}

function tooManyPage({ headers }: RequestHeaders, seconds: number): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  return pageResponse(texts, {
    status: 429,
    retryAfter: seconds,
    title: text('provider.failed'),
    main: wrongNotice(text('form.tooMany', minutesOf(seconds))) ?? html``,
  })
}

function problemPage(
  { headers, id }: RequestHeaders,
  problem: SignInProblem,
  provider?: ProviderOf,
  next?: string,
): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  const values = {
    provider: provider?.label ?? '',
    organization: provider?.organization_name ?? '',
    domains: provider?.rules.domains.join(', ') ?? '',
    id,
  }
  const [destination, signInQuery] = [nextOf(next), new URLSearchParams({ next: nextOf(next) }).toString()]
  return pageResponse(texts, {
    status: statuses[problem],
    title: text('provider.failed'),
    main: html`<p class="wrong" role="alert">${text(`provider.${problem}`, values)}</p>
${provider && html`<p><a href="${providerSignInPath(provider.name, destination)}">${text('provider.again')}</a></p>`}
<p><a href="/auth/signin?${signInQuery}">${text('provider.otherwise')}</a></p>`,
  })
}
