import type { FastifyInstance } from 'fastify'
import { Failure } from '../../errors.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { findPasswordOrigin, findPasswordSetter } from '../../features/people/audit/store.ts'
import { hashPassword, passwordHolderOf } from '../../features/people/users/accounts.ts'
import { isFromTeacher, updatePassword } from '../../features/people/users/store.ts'
import { html } from '../../http/html.ts'
import { type PageResponse, pageRoute } from '../../http/page.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import type { Context } from '../../context.ts'
import { textsFor } from '../../texts/texts.ts'
import { provePassword } from '../security/proof.ts'
import { sendNotice } from '../sessions/notices.ts'
import { minutesOf } from '../throttling/next-attempt.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'
import { createSession } from '../sessions/session.ts'
import {
  checkIsSignedIn,
  findSessionUser,
  sessionCookie,
  type SessionUser,
} from '../sessions/session-user.ts'
import { minPasswordLength } from '../passwords/password-policy.ts'
import { accountErrors, newPasswordField, refusalText } from './fields.ts'
import { hidden, notDelegatedPage, ownPage, redirectTo, redirectToSignIn } from './pages.ts'
import { type Refusal, type WithForm, wrongNotice } from './pages.ts'
import { nextOf } from './sign-in.ts'

/**
 * The page on which a user replaces a password that another person has set. The session and the account keep their limits if
 * a teacher had set it, because the teacher may be the one who replaces it (docs/decisions/034-replacing-a-set-password.md).
 */
export function ownPassword(scope: FastifyInstance, ctx: Context): void {
  pageRoute<{ Querystring: { next?: string } }>(scope, 'GET', '/auth/own-password', async (request) => {
    const next = nextOf(request.query.next)
    const visitor = await findVisitor(request, next)
    return 'refused' in visitor ? visitor.refused : formPage(request, visitor, next)
  })

  pageRoute<WithForm>(scope, 'POST', '/auth/own-password', async (request) => {
    const { body: form } = request
    const next = nextOf(form.get('next'))
    const visitor = await findVisitor(request, next)
    if ('refused' in visitor) return visitor.refused
    const [current, password] = [form.get('currentPassword') ?? '', form.get('password') ?? '']
    try {
      await provePassword(ctx, visitor.user, current)
      if (password === current) {
        const wrong = textsFor(request.headers).text('resetPassword.same')
        return formPage(request, visitor, next, { status: 400, wrong })
      }
      const { id } = visitor.user
      const hashNew = () => hashPassword(ctx.config, { password, ...passwordHolderOf(visitor.user) })
      const hash = await ctx.auth.passwordHashLimiter.run({ caller: id }, hashNew)
      const session = await replacePassword(request, visitor, hash)
      return redirectTo(ctx, next, [sessionCookie(session, ctx.config.publicUrl)])
    } catch (error) {
      const refusal = refusalOf(request, error, minLengthFor(visitor))
      if (!refusal) throw error
      return formPage(request, visitor, next, refusal)
    }
  })

  /** Returns the user of a session that a password of another person opened, or the response to any other request. */
  async function findVisitor(
    request: RequestHeaders,
    next: string,
  ): Promise<SessionUser | { refused: PageResponse }> {
    const visitor = await findSessionUser(ctx, request.headers)
    if (!visitor) return { refused: redirectToSignIn(ctx, next) }
    if (visitor.isByLink || visitor.isByPin) return { refused: notDelegatedPage(request, visitor, next) }
    return visitor.isDelegated ? visitor : { refused: redirectTo(ctx, '/account/security') }
  }

  const minLengthFor = ({ user }: SessionUser) => minPasswordLength(ctx.config, passwordHolderOf(user))

  async function replacePassword(
    { headers }: RequestHeaders,
    { user: { id }, session }: SessionUser,
    hash: string,
  ): Promise<string> {
    return ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, session)
      const isProven = !isFromTeacher(await findPasswordOrigin(tx, id))
      // Before the change, so that the event has the mark of the session.
      await auditOwn(tx, ctx, id, { action: 'user.password-changed' })
      await updatePassword(tx, id, hash, isProven ? 'own' : 'unproven')
      await revokeAllSignIns(ctx, tx, id)
      await sendNotice(ctx, tx, { user: id, notice: 'passwordChanged', language: textsFor(headers).language })
      return createSession(ctx, tx, id, { byResetPassword: !isProven })
    })
  }

  async function formPage(
    { headers }: RequestHeaders,
    visitor: SessionUser,
    next: string,
    { wrong, ...refusal }: Partial<Refusal> = {},
  ): Promise<PageResponse> {
    const texts = textsFor(headers)
    const { text, language } = texts
    const { id } = visitor.user
    const [setter, origin] = await Promise.all([
      findPasswordSetter(ctx.db.read, id),
      findPasswordOrigin(ctx.db.read, id),
    ])
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
    const notice =
      setter?.username && origin !== 'unproven'
        ? text('resetPassword.setBy', { by: setter.username, date: day.format(setter.created_at) })
        : text('resetPassword.why')
    return ownPage(texts, visitor, {
      ...refusal,
      title: text('resetPassword.title'),
      main: html`${wrongNotice(wrong)}
<p class="notice">${notice}</p>
${isFromTeacher(origin) && html`<p>${text('resetPassword.limits')} <a href="/auth/password">${text('reset.title')}</a></p>`}
<form method="post" action="/auth/own-password">
${hidden('next', next)}
<label for="current">${text('security.currentPassword')}</label>
<input id="current" name="currentPassword" type="password" autocomplete="current-password" required maxlength="1000">
${newPasswordField(texts, minLengthFor(visitor), 'form.newPassword')}
<button type="submit">${text('reset.save')}</button>
</form>
<p><a href="${next}">${text('resetPassword.later')}</a></p>`,
    })
  }
}

/** Returns the message for a refused form. Undefined for any other error. */
function refusalOf({ headers }: RequestHeaders, error: unknown, min: number): Refusal | undefined {
  if (!(error instanceof Failure)) return undefined
  const texts = textsFor(headers)
  const { text } = texts
  const { code, status, retryAfter = 60 } = error
  if (code === 'WRONG_PASSWORD') return { status, wrong: text('security.wrongPassword') }
  if (code === 'TOO_MANY_ATTEMPTS') {
    return { status, retryAfter, wrong: text('form.tooMany', minutesOf(retryAfter)) }
  }
  const wrong = refusalText(texts, error, accountErrors, min)
  return wrong === undefined ? undefined : { status, wrong }
}
