import type { FastifyInstance, FastifyReply } from 'fastify'
import { audit } from '../features/audit/audit.ts'
import { noteFailedSecondStep } from '../features/sessions/failed-sign-ins.ts'
import { countAttempt, usedUpUntil } from '../features/sessions/attempts.ts'
import { deletePendingSignIn, findPendingSignIn } from '../features/sessions/pending-sign-ins.ts'
import { useSecondFactor } from '../features/sessions/second-factors.ts'
import type { Asker } from '../http/asker.ts'
import { html } from '../http/html.ts'
import { sendPage } from '../http/page.ts'
import { secondFactorAllowances } from '../http/password-check.ts'
import { pendingCookie, pendingHashOf } from '../http/session.ts'
import type { Context } from '../operation.ts'
import { textsFor } from '../texts/texts.ts'
import { minutesOf } from './limited.ts'
import { hidden, toSignIn, type WithForm, wrongNotice } from './pages.ts'
import { nextOf, takeOver, welcome } from './sign-in.ts'

/** What came of a code: who is signed in by it, or until when nothing more is tried. */
type Tried = { user?: string; session?: string; refusedUntil?: number }

/**
 * The second step of signing in, for accounts with a second factor: a code of the authenticator app, or a recovery code. Who
 * comes here has given the password lately, in this browser, and is signed in to nothing before the code is right.
 */
export function secondStep(scope: FastifyInstance, ctx: Context): void {
  const { clock, config } = ctx

  scope.get<{ Querystring: { next?: string } }>('/auth/second-step', async (request, reply) => {
    const next = nextOf(request.query.next)
    const hash = pendingHashOf(request.headers, config.publicUrl)
    const pending = hash && (await findPendingSignIn(ctx.db.read, { hash, now: clock.now() }))
    return pending ? sendForm(request, reply, next) : toSignIn(reply, ctx, next)
  })

  scope.post<WithForm>('/auth/second-step', async (request, reply) => {
    const { body: form, headers } = request
    const next = nextOf(form.get('next'))
    const hash = pendingHashOf(headers, config.publicUrl)
    const tried = hash && (await attempt(request, hash, form.get('code') ?? ''))
    if (!tried) return toSignIn(reply, ctx, next)
    const { user, session, refusedUntil } = tried
    if (user !== undefined && session !== undefined) {
      reply.header('Set-Cookie', pendingCookie(undefined, config.publicUrl))
      return welcome(ctx, request, reply, { user, session }, next)
    }
    const { text } = textsFor(headers)
    if (refusedUntil === undefined) {
      return sendForm(request, reply.status(401), next, text('secondStep.wrong'))
    }
    const seconds = Math.ceil((refusedUntil - clock.now()) / 1000)
    reply.status(429).header('Retry-After', seconds)
    const wrong = text('signIn.tooMany', minutesOf(seconds))
    return sendForm(request, reply, next, wrong)
  })

  /** All of it in one transaction: of many who try at once, each is counted, and one is signed in. */
  async function attempt(request: Asker, hash: string, code: string): Promise<Tried | undefined> {
    return ctx.transaction(async (tx) => {
      const now = clock.now()
      const pending = await findPendingSignIn(tx, { hash, now })
      if (!pending) return undefined
      const { user, organization } = pending
      const allowances = secondFactorAllowances(ctx, user, request)
      const refusedUntil = await usedUpUntil(ctx, tx, allowances)
      if (refusedUntil !== undefined) return { refusedUntil }
      const used = await useSecondFactor(tx, user, code, now)
      if (!used) {
        await countAttempt(ctx, tx, allowances)
        await noteFailedSecondStep(ctx, tx, user)
        return {}
      }
      await deletePendingSignIn(tx, hash)
      if (used === 'recovery code') {
        await audit(tx, ctx, { organization, actor: user, action: 'user.recovery-code-used', subject: user })
      }
      return { user, session: await takeOver(ctx, tx, request, user) }
    })
  }
}

function sendForm({ headers }: Asker, reply: FastifyReply, next: string, wrong?: string): FastifyReply {
  const texts = textsFor(headers)
  const { text } = texts
  return sendPage(reply, texts, {
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
