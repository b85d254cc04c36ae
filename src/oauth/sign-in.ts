import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { beginSession } from '../features/sessions/session.ts'
import { deleteSession } from '../features/sessions/store.ts'
import { html } from '../http/html.ts'
import { sendPage } from '../http/page.ts'
import { type Credentials, hasPassword } from '../features/users/store.ts'
import { findVisitor, sessionCookie, sessionHashOf } from '../http/session.ts'
import { textsFor } from '../texts/texts.ts'
import type { Bounded } from '../lib/bounded.ts'
import { isPathOfThisSite } from '../lib/site-path.ts'
import type { Context } from '../operation.ts'
import { goTo, hidden, type WithForm, wrongNotice } from './pages.ts'
import { type Checked, passwordCheck } from './password-check.ts'

/** Where one comes who was on the way to nowhere in particular. */
const firstPage = '/account'
const minute = 60_000

/** Signing in and out with a browser. */
export function signIn(scope: FastifyInstance, ctx: Context, threads: Bounded): void {
  const check = passwordCheck(ctx, threads)

  scope.get<{ Querystring: { next?: string } }>('/auth/signin', async (request, reply) => {
    const next = nextOf(request.query.next)
    const visitor = await findVisitor(ctx, request.headers)
    if (visitor && !visitor.isByLink) return goTo(reply, ctx, next)
    return sendForm(request, reply, { next })
  })

  scope.post<WithForm>('/auth/signin', async (request, reply) => {
    const { body: form, ip } = request
    const name = (form.get('username') ?? '').trim()
    const next = nextOf(form.get('next'))
    const checked = await check(name, form.get('password') ?? '', ip)
    const signedIn = checked.account && (await startSession(ctx, request, reply, checked.account, next))
    return signedIn ?? sendForm(request, reply.status(checked.refusedUntil ? 429 : 401), { next, name, checked })
  })

  scope.post('/auth/signout', async ({ headers }, reply) => {
    const session = sessionHashOf(headers, ctx.config.publicUrl)
    if (session) await ctx.transaction((tx) => deleteSession(tx, session))
    reply.header('Set-Cookie', sessionCookie(undefined, ctx.config.publicUrl))
    return goTo(reply, ctx, '/auth/signin')
  })

  function sendForm(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    { next, name = '', checked }: { next: string; name?: string; checked?: Checked },
  ): FastifyReply {
    const texts = textsFor(headers)
    const { text } = texts
    const seconds = checked?.refusedUntil && Math.ceil((checked.refusedUntil - ctx.clock.now()) / 1000)
    if (seconds) reply.header('Retry-After', seconds)
    const wrong =
      checked &&
      (seconds ? text('signIn.tooMany', { minutes: Math.ceil((seconds * 1000) / minute) }) : text('signIn.wrong'))
    return sendPage(reply, texts, {
      title: text('link.title'),
      main: html`${wrongNotice(wrong)}
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
 * Signs somebody in as from now: the session that the browser was in ends, whosever it was. Undefined, and nothing is done, where
 * the password has become another one since it was checked.
 */
export async function startSession(
  ctx: Context,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  account: Credentials,
  next: string,
): Promise<FastifyReply | undefined> {
  const earlier = sessionHashOf(headers, ctx.config.publicUrl)
  const session = await ctx.transaction(async (tx) => {
    if (!(await hasPassword(tx, account))) return undefined
    if (earlier) await deleteSession(tx, earlier)
    return beginSession(ctx, tx, account.id)
  })
  if (session === undefined) return undefined
  reply.header('Set-Cookie', sessionCookie(session, ctx.config.publicUrl))
  return goTo(reply, ctx, next)
}

const nextOf = (path: unknown): string => (typeof path === 'string' && isPathOfThisSite(path) ? path : firstPage)
