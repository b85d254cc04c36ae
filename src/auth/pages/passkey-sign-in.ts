import type { FastifyInstance } from 'fastify'
import type { PasskeyAssertion, PasskeyRequest } from '../../contract/account-security.ts'
import type { Context } from '../../context.ts'
import { requiresProvider } from '../../features/people/organizations/store.ts'
import { cookie, cookieOf } from '../../http/cookies.ts'
import { networkOf } from '../../http/network.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { type PageResponse, pageRoute, withCookies } from '../../http/page.ts'
import { minute } from '../../lib/durations.ts'
import { hashToken, isToken, newToken } from '../../lib/tokens.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { afterCommit } from '../../platform/db/after-commit.ts'
import { textsFor } from '../../texts/texts.ts'
import { checkAssertion, useAssertion } from '../passkeys/assertions.ts'
import { requestOptions } from '../passkeys/ceremonies.ts'
import { challengeLifetimeMs, createChallenge } from '../passkeys/challenges.store.ts'
import { listPasskeys } from '../passkeys/passkeys.store.ts'
import { loadRelyingParty } from '../passkeys/relying-party.ts'
import { findPendingSignIn } from '../sessions/pending-sign-ins.store.ts'
import { pendingHashOf } from '../sessions/session-user.ts'
import { countAttempt, limitedUntil, tryAttempt } from '../throttling/attempt-limits.store.ts'
import { recordFailedSignIn } from '../throttling/failed-sign-ins.ts'
import { passkeyLimits } from '../throttling/password-check.ts'
import { secondsUntil } from '../throttling/next-attempt.ts'
import { servePageScript } from './page-script.ts'
import type { WithForm } from './pages.ts'
import { assertionIn, passkeyScript } from './passkey-form.ts'
import {
  nextOf,
  providerOnlyPage,
  refusalOf,
  replaceSession,
  signedInRedirect,
  signInPage,
} from './sign-in.ts'

/** Binds a challenge to the browser that asked for it. */
const cookieName = 'partita_passkey'
/**
 * The maximum number of challenges per network and minute, because each is a row. The window is short: a school usually has one
 * network, and one user must not keep all others out for long.
 */
const maxChallenges = 600

/** The result of a passkey: a session, or the time until which attempts are refused, or neither. */
type PasskeyResult = { user?: string; session?: string; refusedUntil?: number }

/** Sign-in with a passkey alone, and the challenges of both steps (docs/spec/passkeys.md). */
export function passkeySignIn(scope: FastifyInstance, ctx: Context): void {
  const { clock, config } = ctx

  servePageScript(scope, passkeyScript)

  pageRoute<WithForm>(scope, 'POST', '/auth/passkey/challenge', async (request) =>
    request.body.get('step') === 'second-step' ? secondStepChallenge(request) : signInChallenge(request),
  )

  pageRoute<WithForm>(scope, 'POST', '/auth/passkey', async (request) => {
    const { body: form, headers } = request
    const next = nextOf(form.get('next'))
    const assertion = assertionIn(form.get('credential') ?? '')
    const { user, session, refusedUntil } = await attempt(request, assertion)
    if (user !== undefined) {
      const response =
        session === undefined
          ? await providerOnlyPage(ctx, request, user, next)
          : signedInRedirect(ctx, request, { user, session }, next)
      return withCookies(response, cookie(cookieName, undefined, 0, config.publicUrl))
    }
    const wrong = textsFor(headers).text('passkeys.wrong')
    return signInPage(ctx, request, { next }, refusalOf(ctx, request, refusedUntil, wrong))
  })

  /** A challenge that is lost in a crash is asked for again, so visitors cause no writes that wait for the disk. */
  const notDurable = <Result>(work: (tx: Transaction) => Promise<Result>) =>
    ctx.transaction(work, { durable: false })

  /** A challenge for any passkey of any account. The browser holds it by a cookie. */
  async function signInChallenge({ ip }: RequestHeaders): Promise<PageResponse> {
    loadRelyingParty(config)
    const token = newToken('passkeySignIn')
    const limits = [{ key: ['passkey-challenge', networkOf(ip)], max: maxChallenges, windowMs: minute }]
    const { refusedUntil, challenge } = await notDurable(async (tx) => {
      const refusedUntil = await tryAttempt(ctx, tx, limits)
      if (refusedUntil !== undefined) return { refusedUntil }
      const use = { purpose: 'sign-in', holder: hashToken(token) } as const
      return { challenge: await createChallenge(ctx, tx, use) }
    })
    if (challenge === undefined) return jsonResponse(429, undefined, secondsUntil(ctx, refusedUntil))
    const response = jsonResponse(200, requestOptions(ctx, challenge))
    return withCookies(response, cookie(cookieName, token, challengeLifetimeMs, config.publicUrl))
  }

  /** A challenge for the passkeys of the user who has entered the password. The pending sign-in holds it. */
  async function secondStepChallenge({ headers }: RequestHeaders): Promise<PageResponse> {
    loadRelyingParty(config)
    const holder = pendingHashOf(headers, config.publicUrl)
    const offered = await notDurable(async (tx) => {
      const pending = holder && (await findPendingSignIn(tx, { hash: holder, now: clock.now() }))
      if (!pending) return undefined
      const { user } = pending
      const challenge = await createChallenge(ctx, tx, { purpose: 'second step', holder, user })
      return { challenge, passkeys: await listPasskeys(tx, user) }
    })
    return offered
      ? jsonResponse(200, requestOptions(ctx, offered.challenge, offered.passkeys))
      : jsonResponse(401)
  }

  /** Checks a signature in one transaction: each concurrent attempt is counted, and only one succeeds. */
  async function attempt(
    request: RequestHeaders,
    assertion: PasskeyAssertion | undefined,
  ): Promise<PasskeyResult> {
    const checked = assertion && (await checkAssertion(ctx, assertion, true))
    const token = cookieOf(request.headers, cookieName, config.publicUrl)
    const owner = checked?.passkey?.user_id
    const limits = passkeyLimits(ctx, owner, request)
    return ctx.transaction(async (tx) => {
      const refusedUntil = await limitedUntil(ctx, tx, limits)
      if (refusedUntil !== undefined) return { refusedUntil }
      const isHolder = token !== undefined && isToken('passkeySignIn', token)
      const use = isHolder && ({ purpose: 'sign-in', holder: hashToken(token) } as const)
      const user = checked && use ? await useAssertion(ctx, tx, checked, use) : undefined
      if (user === undefined) {
        await countAttempt(ctx, tx, limits)
        await recordFailedSignIn(ctx, tx, owner ?? null, { step: 'passkey' })
        afterCommit(tx, () => ctx.metrics.countFailedSignIn('passkey'))
        return {}
      }
      if (await requiresProvider(tx, user)) return { user }
      const means = { action: 'user.signed-in', details: { by: 'passkey' } } as const
      return { user, session: await replaceSession(ctx, tx, request, user, means) }
    })
  }
}

const jsonResponse = (status: number, body?: PasskeyRequest, retryAfter?: number): PageResponse => ({
  status,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
  },
  content: JSON.stringify(body ?? {}),
})
