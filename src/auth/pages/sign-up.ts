import type { FastifyInstance } from 'fastify'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { Failure } from '../../errors.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { requestEmailVerification } from '../sessions/email-verifications.store.ts'
import { newAccount } from '../../features/people/users/accounts.ts'
import { type Credentials, insertUser } from '../../features/people/users/store.ts'
import { html } from '../../http/html.ts'
import { networkOf } from '../../http/network.ts'
import { type PageResponse, pageResponse, pageRoute } from '../../http/page.ts'
import type { Context } from '../../context.ts'
import type { TextKey, Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { minutesOf, secondsUntilNextAttempt } from '../throttling/next-attempt.ts'
import { minPasswordLength } from '../passwords/password-policy.ts'
import { accountErrors, newPasswordField, newUsernameField, refusalText } from './fields.ts'
import { type Refusal, redirectToSignIn, type WithForm, wrongNotice } from './pages.ts'
import { startSession } from './sign-in.ts'

type SignUpFields = { username?: string; email?: string }

/** The message for each field that a new account can be refused for. */
const wrongFields: Readonly<Record<string, TextKey>> = {
  ...accountErrors,
  email: 'form.badEmail',
}

/**
 * The page that creates an individual account. Its address is not verified yet, so it gives no access to
 * scores that are shared with the address.
 */
export function signUp(scope: FastifyInstance, ctx: Context): void {
  const min = minPasswordLength(ctx.config, {})
  pageRoute(scope, 'GET', '/auth/signup', ({ headers }) => formPage(textsFor(headers)))

  pageRoute<WithForm>(scope, 'POST', '/auth/signup', async (request) => {
    const texts = textsFor(request.headers)
    const form = request.body
    const fields = { username: (form.get('username') ?? '').trim(), email: (form.get('email') ?? '').trim() }
    const seconds = await secondsUntilNextAttempt(ctx, [
      { key: ['sign-up', networkOf(request.ip)], max: 100 },
    ])
    if (seconds) {
      const wrong = texts.text('form.tooMany', minutesOf(seconds))
      return formPage(texts, fields, { status: 429, retryAfter: seconds, wrong })
    }
    const account = await makeAccount(networkOf(request.ip), fields, form.get('password') ?? '', texts)
    if ('wrong' in account) return formPage(texts, fields, account)
    const signedIn = await startSession(ctx, request, account, '/')
    return signedIn ?? redirectToSignIn(ctx, '/')
  })

  async function makeAccount(
    caller: string,
    { username, email }: Required<SignUpFields>,
    password: string,
    texts: Texts,
  ): Promise<Credentials | { wrong: string; status: number }> {
    const locale = texts.language
    try {
      const fields = { username, password, locale, ...(email && { email }) }
      const user = await ctx.auth.passwordHashLimiter.run({ caller }, () => newAccount(ctx, fields))
      await ctx.transaction(async (tx) => {
        await insertUser(tx, { ...user, email_vouched: 0 })
        await audit(tx, ctx, { organization: null, actor: user.id, action: 'user.created', subject: user.id })
        if (ctx.mailer && email)
          await requestEmailVerification(ctx, tx, { user: user.id, email, language: locale })
      })
      return user
    } catch (error) {
      if (isUniqueViolation(error, 'users.username_key'))
        return { wrong: texts.text('signUp.taken'), status: 409 }
      const wrong = error instanceof Failure && refusalText(texts, error, wrongFields, min)
      if (wrong) return { wrong, status: 400 }
      throw error
    }
  }

  function formPage(
    texts: Texts,
    { username, email }: SignUpFields = {},
    { wrong, ...refusal }: Partial<Refusal> = {},
  ): PageResponse {
    const { text } = texts
    return pageResponse(texts, {
      ...refusal,
      title: text('signUp.title'),
      main: html`${wrongNotice(wrong)}
<form method="post" action="/auth/signup">
${newUsernameField(texts, username)}
<label for="email">${text('signUp.email')}</label>
<p class="hint" id="email-hint">${text('signUp.emailHint')}</p>
<input id="email" name="email" type="email" value="${email}" autocomplete="email" aria-describedby="email-hint" maxlength="254">
${newPasswordField(texts, min)}
<button type="submit">${text('signUp.do')}</button>
</form>
<p><a href="/auth/signin">${text('signUp.have')}</a></p>`,
    })
  }
}
