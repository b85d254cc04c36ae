import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Transaction } from '../db/database.ts'
import { type AuditEvent, audit } from '../features/audit/audit.ts'
import { beginPendingSignIn } from '../features/sessions/pending-sign-ins.ts'
import { hasSecondFactor } from '../features/sessions/second-factors.ts'
import { beginSession } from '../features/sessions/session.ts'
import { deleteSession, findSession } from '../features/sessions/store.ts'
import type { Asker } from '../http/asker.ts'
import { html } from '../http/html.ts'
import { markCookie } from '../http/known-browser.ts'
import { sendPage } from '../http/page.ts'
import { type Checked, checkPassword } from '../http/password-check.ts'
import { type Credentials, hasPassword } from '../features/users/store.ts'
import { findVisitor, pendingCookie, sessionCookie, sessionHashOf } from '../http/session.ts'
import { textsFor } from '../texts/texts.ts'
import { isPathOfThisSite } from '../lib/site-path.ts'
import type { Context } from '../operation.ts'
import { goTo, hidden, type WithForm, wrongNotice } from './pages.ts'
import { providerLinks } from './provider-links.ts'

/** Where one comes who was on the way to nowhere in particular. */
const firstPage = '/account'
const minute = 60_000

/** Signing in and out with a browser. */
export function signIn(scope: FastifyInstance, ctx: Context): void {
  scope.get<{ Querystring: { next?: string } }>('/auth/signin', async (request, reply) => {
    const next = nextOf(request.query.next)
    const visitor = await findVisitor(ctx, request.headers)
    if (visitor && !visitor.isByLink) return goTo(reply, ctx, next)
    return sendForm(request, reply, { next })
  })

  scope.post<WithForm>('/auth/signin', async (request, reply) => {
    const { body: form } = request
    const name = (form.get('username') ?? '').trim()
    const next = nextOf(form.get('next'))
    const checked = await checkPassword(ctx, name, form.get('password') ?? '', request)
    const signedIn = checked.account && (await startSession(ctx, request, reply, checked.account, next))
    return signedIn ?? sendForm(request, reply.status(checked.refusedUntil ? 429 : 401), { next, name, checked })
  })

  scope.post('/auth/signout', async ({ headers }, reply) => {
    const session = sessionHashOf(headers, ctx.config.publicUrl)
    if (session) {
      await ctx.transaction(async (tx) => {
        const { user_id: user } = (await findSession(tx, { hash: session, now: ctx.clock.now() })) ?? {}
        if (!user) return
        await deleteSession(tx, session)
        await audit(tx, ctx, { organization: { of: user }, actor: user, action: 'user.signed-out', subject: user })
      })
    }
    reply.header('Set-Cookie', sessionCookie(undefined, ctx.config.publicUrl))
    return goTo(reply, ctx, '/auth/signin')
  })

  async function sendForm(
    { headers }: Asker,
    reply: FastifyReply,
    { next, name = '', checked }: { next: string; name?: string; checked?: Checked },
  ): Promise<FastifyReply> {
    const texts = textsFor(headers)
    const { text } = texts
    const seconds = checked?.refusedUntil && Math.ceil((checked.refusedUntil - ctx.clock.now()) / 1000)
    if (seconds) reply.header('Retry-After', seconds)
    const wrong =
      checked &&
      (seconds ? text('signIn.tooMany', { minutes: Math.ceil((seconds * 1000) / minute) }) : text('signIn.wrong'))
    return sendPage(reply, texts, {
      title: text('link.title'),
      main: html`${wrongNotice(wrong)}${await providerLinks(ctx, texts, next)}
<form method="post" action="/auth/signin">
${hidden('next', next)}
<label for="username">${text('signIn.name')}</label>
<input id="username" name="username" type="text" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="254">
<label for="password">${text('signIn.password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1000">
<button type="submit">${text('signIn.do')}</button>
</form>
<p><a href="/auth/password">${text('reset.title')}</a></p>
${ctx.config.signUp && html`<p><a href="/auth/signup">${text('signUp.title')}</a></p>`}`,
    })
  }
}

/**
 * Signs somebody in who has shown the password: at once, or after the second step where the account has a second factor.
 * Undefined, and nothing is done, where the password has become another one since it was checked.
 */
export async function startSession(
  ctx: Context,
  request: Asker,
  reply: FastifyReply,
  account: Credentials,
  next: string,
): Promise<FastifyReply | undefined> {
  const begun = await ctx.transaction(async (tx) => {
    if (!(await hasPassword(tx, account))) return undefined
    if (await hasSecondFactor(tx, account.id)) return { pending: await beginPendingSignIn(ctx, tx, account.id) }
    return { session: await takeOver(ctx, tx, request, account.id) }
  })
  if (begun?.session !== undefined) return welcome(ctx, request, reply, { ...begun, user: account.id }, next)
  if (begun === undefined) return undefined
  reply.header('Set-Cookie', pendingCookie(begun.pending, ctx.config.publicUrl))
  return goTo(reply, ctx, `/auth/second-step?${new URLSearchParams({ next })}`)
}

/** Begins a session; the one that the browser was in ends, whosever it was. */
export async function takeOver(
  ctx: Context,
  tx: Transaction,
  { headers }: Asker,
  user: string,
  how: Pick<AuditEvent, 'action' | 'details'> = { action: 'user.signed-in' },
): Promise<string> {
  const earlier = sessionHashOf(headers, ctx.config.publicUrl)
  if (earlier) await deleteSession(tx, earlier)
  await audit(tx, ctx, { organization: { of: user }, actor: user, subject: user, ...how })
  return beginSession(ctx, tx, user)
}

/** Gives the browser its session, and a mark by which it is known when somebody signs in to the account again. */
export function welcome(
  ctx: Context,
  { headers }: Asker,
  reply: FastifyReply,
  { user, session }: { user: string; session: string },
  next: string,
): FastifyReply {
  reply.header('Set-Cookie', sessionCookie(session, ctx.config.publicUrl))
  reply.header('Set-Cookie', markCookie(ctx, headers, user))
  return goTo(reply, ctx, next)
}

/** So long may it be where somebody goes on to: it is kept, also for who has shown nothing yet. */
const longestPath = 4000

/** Where to go on to, as an address or a form says; never to another site. */
export const nextOf = (path: unknown): string =>
  typeof path === 'string' && path.length <= longestPath && isPathOfThisSite(path) ? path : firstPage
