import type { FastifyInstance } from 'fastify'
import { audit } from '../../features/people/audit/audit.ts'
import { recordFailedSecondFactor } from '../throttling/failed-sign-ins.ts'
import { countAttempt, limitedUntil } from '../throttling/attempt-limits.store.ts'
import { deletePendingSignIn, findPendingSignIn } from '../sessions/pending-sign-ins.store.ts'
import { useSecondFactor } from '../second-factor/second-factors.store.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { html } from '../../http/html.ts'
import { type PageResponse, pageResponse, pageRoute, withCookies } from '../../http/page.ts'
import { secondFactorLimits } from '../throttling/password-check.ts'
import { pendingCookie, pendingHashOf } from '../sessions/session-user.ts'
import type { Context } from '../../context.ts'
import { textsFor } from '../../texts/texts.ts'
import { minutesOf, secondsUntil } from '../throttling/next-attempt.ts'
import { hidden, type Refusal, redirectToSignIn, type WithForm, wrongNotice } from './pages.ts'
import { destinationAfter, nextOf, replaceSession, signedInRedirect } from './sign-in.ts'

/** The result of a code: the user and the session, or the time until which attempts are refused. */
type CodeResult = { user?: string; session?: string; destination?: string; refusedUntil?: number }

/**
 * The second-factor page of the sign-in. It accepts a code of the authenticator app or a recovery code. The
 * browser has a pending sign-in after the correct password, and no session before the correct code.
 */
export function secondStep(scope: FastifyInstance, ctx: Context): void {
  const { clock, config } = ctx

  pageRoute<{ Querystring: { next?: string } }>(scope, 'GET', '/auth/second-step', async (request) => {
    const next = nextOf(request.query.next)
    const hash = pendingHashOf(request.headers, config.publicUrl)
    const pending = hash && (await findPendingSignIn(ctx.db.read, { hash, now: clock.now() }))
    return pending ? formPage(request, next) : redirectToSignIn(ctx, next)
  })

  pageRoute<WithForm>(scope, 'POST', '/auth/second-step', async (request) => {
    const { body: form, headers } = request
    const next = nextOf(form.get('next'))
    const hash = pendingHashOf(headers, config.publicUrl)
    const tried = hash && (await attempt(request, hash, form.get('code') ?? '', next))
    if (!tried) return redirectToSignIn(ctx, next)
    const { user, session, destination = next, refusedUntil } = tried
    if (user !== undefined && session !== undefined) {
      const signedIn = signedInRedirect(ctx, request, { user, session }, destination)
      return withCookies(signedIn, pendingCookie(undefined, config.publicUrl))
    }
    const { text } = textsFor(headers)
    if (refusedUntil === undefined) {
      return formPage(request, next, { status: 401, wrong: text('secondStep.wrong') })
    }
    const seconds = secondsUntil(ctx, refusedUntil)
    const wrong = text('signIn.tooMany', minutesOf(seconds))
    return formPage(request, next, { status: 429, retryAfter: seconds, wrong })
  })

  /** Checks a code in one transaction: each concurrent attempt is counted, and only one succeeds. */
  async function attempt(
    request: RequestHeaders,
    hash: string,
    code: string,
    next: string,
  ): Promise<CodeResult | undefined> {
    return ctx.transaction(async (tx) => {
      const now = clock.now()
      const pending = await findPendingSignIn(tx, { hash, now })
      if (!pending) return undefined
      const { user, organization } = pending
      const limits = secondFactorLimits(ctx, user, request)
      const refusedUntil = await limitedUntil(ctx, tx, limits)
      if (refusedUntil !== undefined) return { refusedUntil }
      const used = await useSecondFactor(tx, user, code, ctx.systemClock.now())
      if (!used) {
        await countAttempt(ctx, tx, limits)
        await recordFailedSecondFactor(ctx, tx, user)
        return {}
      }
      await deletePendingSignIn(tx, hash)
      if (used === 'recovery code') {
        await audit(tx, ctx, { organization, actor: user, action: 'user.recovery-code-used', subject: user })
      }
      const session = await replaceSession(ctx, tx, request, user, 'password')
      return { user, session, destination: await destinationAfter(tx, user, next) }
    })
  }
}

function formPage(
  { headers }: RequestHeaders,
  next: string,
  { wrong, ...refusal }: Partial<Refusal> = {},
): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  return pageResponse(texts, {
    ...refusal,
    title: text('secondStep.title'),
    main: html`${wrongNotice(wrong)}
<form method="post" action="/auth/second-step">
${hidden('next', next)}
<label for="code">${text('secondStep.code')}</label>
<p class="hint" id="code-hint">${text('secondStep.hint')}</p>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" aria-describedby="code-hint" required maxlength="40">
<button type="submit">${text('signIn.do')}</button>
</form>
<p class="hint">${text('secondStep.lost')}</p>`,
  })
}
