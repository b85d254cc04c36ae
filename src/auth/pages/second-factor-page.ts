import type { FastifyInstance } from 'fastify'
import { audit } from '../../features/people/audit/audit.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import { recordFailedSecondFactor } from '../throttling/failed-sign-ins.ts'
import { countAttempt, limitedUntil } from '../throttling/attempt-limits.store.ts'
import { deletePendingSignIn, findPendingSignIn } from '../sessions/pending-sign-ins.store.ts'
import { checkAssertion, useAssertion } from '../passkeys/assertions.ts'
import { hasPasskey } from '../passkeys/passkeys.store.ts'
import { relyingPartyOf } from '../passkeys/relying-party.ts'
import {
  hasAuthenticatorApp,
  useRecoveryCode,
  useSecondFactor,
} from '../second-factor/second-factors.store.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import { html } from '../../http/html.ts'
import { type PageResponse, pageResponse, pageRoute, withCookies } from '../../http/page.ts'
import { secondFactorLimits } from '../throttling/password-check.ts'
import { pendingCookie, pendingHashOf } from '../sessions/session-user.ts'
import { mustSignInByPasskey } from '../sessions/store.ts'
import type { Context } from '../../context.ts'
import { textsFor } from '../../texts/texts.ts'
import { hidden, type Refusal, redirectToSignIn, type WithForm, wrongNotice } from './pages.ts'
import { assertionIn, passkeyForm, passkeyScript } from './passkey-form.ts'
import { destinationAfter, nextOf, refusalOf, replaceSession, signedInRedirect } from './sign-in.ts'

/** The result of an attempt: the user, the session, or the time until which attempts are refused. */
type StepResult = { user: string; session?: string; destination?: string; refusedUntil?: number }

/** What a user can use in the second step, besides recovery codes. */
interface Offered {
  readonly codes: boolean
  readonly passkeys: boolean
}

/**
 * The second-factor page of the sign-in. It accepts a passkey, a code of the authenticator app or a recovery code. The
 * browser has a pending sign-in after the correct password, and no session before the correct factor.
 */
export function secondStep(scope: FastifyInstance, ctx: Context): void {
  const { clock, config } = ctx

  pageRoute<{ Querystring: { next?: string } }>(scope, 'GET', '/auth/second-step', async (request) => {
    const next = nextOf(request.query.next)
    const hash = pendingHashOf(request.headers, config.publicUrl)
    const pending = hash && (await findPendingSignIn(ctx.db.read, { hash, now: clock.now() }))
    return pending
      ? formPage(request, next, await offeredTo(ctx, ctx.db.read, pending.user))
      : redirectToSignIn(ctx, next)
  })

  pageRoute<WithForm>(scope, 'POST', '/auth/second-step', async (request) => {
    const { body: form, headers } = request
    const next = nextOf(form.get('next'))
    const hash = pendingHashOf(headers, config.publicUrl)
    const tried = hash && (await attempt(request, hash, form, next))
    if (!tried) return redirectToSignIn(ctx, next)
    const { user, session, destination = next, refusedUntil } = tried
    if (session !== undefined) {
      const signedIn = signedInRedirect(ctx, request, { user, session }, destination)
      return withCookies(signedIn, pendingCookie(undefined, config.publicUrl))
    }
    const offered = await offeredTo(ctx, ctx.db.read, user)
    const { text } = textsFor(headers)
    const wrong = form.has('credential')
      ? 'passkeys.wrong'
      : offered.codes
        ? 'secondStep.wrong'
        : 'secondStep.wrongRecoveryCode'
    return formPage(request, next, offered, refusalOf(ctx, request, refusedUntil, text(wrong)))
  })

  /** Checks a passkey or code in one transaction: each concurrent attempt is counted, and only one succeeds. */
  async function attempt(
    request: RequestHeaders,
    hash: string,
    form: URLSearchParams,
    next: string,
  ): Promise<StepResult | undefined> {
    const assertion = assertionIn(form.get('credential') ?? '')
    const checked = assertion && (await checkAssertion(ctx, assertion, false))
    return ctx.transaction(async (tx) => {
      const now = clock.now()
      const pending = await findPendingSignIn(tx, { hash, now })
      if (!pending) return undefined
      const { user, organization } = pending
      const limits = secondFactorLimits(ctx, user, request)
      const refusedUntil = await limitedUntil(ctx, tx, limits)
      if (refusedUntil !== undefined) return { user, refusedUntil }
      const used = checked
        ? (await useAssertion(ctx, tx, checked, { purpose: 'second step', holder: hash, user })) && 'passkey'
        : await useCode(tx, user, form.get('code') ?? '')
      if (!used) {
        await countAttempt(ctx, tx, limits)
        await recordFailedSecondFactor(ctx, tx, user)
        return { user }
      }
      await deletePendingSignIn(tx, hash)
      if (used === 'recovery code') {
        await audit(tx, ctx, { organization, actor: user, action: 'user.recovery-code-used', subject: user })
      }
      const session = await replaceSession(ctx, tx, request, user, 'password')
      return { user, session, destination: await destinationAfter(tx, user, next) }
    })
  }

  /** Recovery codes always count, because they replace a lost passkey too. */
  async function useCode(tx: Transaction, user: string, code: string) {
    if ((await offeredTo(ctx, tx, user)).codes)
      return useSecondFactor(ctx, tx, user, code, ctx.systemClock.now())
    return (await useRecoveryCode(tx, user, code)) ? 'recovery code' : undefined
  }
}

async function offeredTo({ config }: Context, queries: Queries, user: string): Promise<Offered> {
  const passkeys = (await hasPasskey(queries, user)) && relyingPartyOf(config) !== undefined
  const codes =
    (await hasAuthenticatorApp(queries, user)) && !(passkeys && (await mustSignInByPasskey(queries, user)))
  return { codes, passkeys }
}

function formPage(
  { headers }: RequestHeaders,
  next: string,
  { codes, passkeys }: Offered,
  { wrong, ...refusal }: Partial<Refusal> = {},
): PageResponse {
  const texts = textsFor(headers)
  const { text } = texts
  return pageResponse(texts, {
    ...refusal,
    ...(passkeys && { script: passkeyScript.path }),
    title: text('secondStep.title'),
    main: html`${wrongNotice(wrong)}
${passkeys && passkeyForm(texts, { step: 'second-step', next })}
<form method="post" action="/auth/second-step">
${hidden('next', next)}
<label for="code">${text(codes ? 'secondStep.code' : 'secondStep.recoveryCode')}</label>
<p class="hint" id="code-hint">${text(codes ? 'secondStep.hint' : 'secondStep.recoveryHint')}</p>
<input id="code" name="code" type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" aria-describedby="code-hint" required maxlength="40">
<button class="${passkeys && 'second'}" type="submit">${text('signIn.do')}</button>
</form>
<p class="hint">${text(passkeys ? 'secondStep.lostPasskey' : 'secondStep.lost')}</p>`,
  })
}
