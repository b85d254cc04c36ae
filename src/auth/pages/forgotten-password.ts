import type { FastifyInstance, FastifyReply } from 'fastify'
import { Failure } from '../../errors.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'
import { findPasswordReset } from '../sessions/store.ts'
import { findCandidates, hashPassword } from '../../features/people/users/accounts.ts'
import { updatePassword } from '../../features/people/users/store.ts'
import { html } from '../../http/html.ts'
import { networkOf } from '../../http/network.ts'
import { sendPage } from '../../http/page.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { attemptKeys } from '../throttling/password-check.ts'
import { trustedDeviceTokenOf } from '../throttling/trusted-device-cookie.ts'
import { minutesOf, secondsUntilNextAttempt } from '../throttling/next-attempt.ts'
import { accountField, newPasswordField } from './fields.ts'
import { type WithForm, wrongNotice } from './pages.ts'
import { startSession } from './sign-in.ts'

type WithToken = { Params: { token: string } }

/**
 * Pages to request and use a mailed password reset link. The response does not reveal whether the account
 * exists.
 */
export function forgottenPassword(scope: FastifyInstance, ctx: Context): void {
  scope.get('/auth/password', async ({ headers }, reply) => sendRequestForm(reply, textsFor(headers)))

  if (ctx.mailer) {
    scope.post<WithForm>('/auth/password', async ({ headers, body: form, ip }, reply) => {
      const texts = textsFor(headers)
      const name = (form.get('username') ?? '').trim()
      const { accounts } = await findCandidates(ctx.db.read, name)
      const [account] = accounts
      // Others cannot use up the mails of the owner, who has a limit for each trusted device.
      const token =
        account && accounts.length === 1 ? trustedDeviceTokenOf(ctx, headers, account.id) : undefined
      const seconds = await secondsUntilNextAttempt(ctx, [
        ...(token ? [token] : attemptKeys(accounts, name)).map((key) => ({
          key: ['password-mail', key],
          max: 3,
        })),
        { key: ['password-mail', networkOf(ip)], max: 100 },
      ])
      if (seconds) {
        const wrong = texts.text('form.tooMany', minutesOf(seconds))
        return sendRequestForm(reply.status(429).header('Retry-After', seconds), texts, wrong)
      }
      await ctx.transaction(async (tx) => {
        // Always enqueues the same number of jobs, so that neither the time nor the database reveals whether
        // the account exists.
        const { accounts, tries } = await findCandidates(tx, name)
        for (let n = 0; n < tries; n++) {
          const payload = {
            user: accounts[n]?.id ?? null,
            language: texts.language,
            isTrustedDevice: token !== undefined,
          }
          await ctx.jobs.enqueue(tx, { kind: 'send-password-reset', payload })
        }
      })
      return sendPage(reply, texts, {
        title: texts.text('reset.title'),
        main: html`<p class="notice" role="status">${texts.text('reset.sent')}</p>`,
      })
    })
  }

  scope.get<WithToken>('/auth/password/:token', async ({ headers, params: { token } }, reply) => {
    const texts = textsFor(headers)
    if (!(await findPasswordReset(ctx.db.read, keyOf(token)))) return sendUsedLink(reply, texts)
    return sendChoiceForm(reply, texts, token)
  })

  scope.post<WithToken & WithForm>('/auth/password/:token', async (request, reply) => {
    const texts = textsFor(request.headers)
    const { token } = request.params
    const password = request.body.get('password') ?? ''
    // Checks the link before the password is hashed, so that requests without a link cost little.
    const reset = await findPasswordReset(ctx.db.read, keyOf(token))
    if (!reset) return sendUsedLink(reply, texts)
    let hash: string
    try {
      hash = await ctx.auth.passwordHashLimiter(() => hashPassword(password), `reset ${reset.user}`)
    } catch (error) {
      if (!(error instanceof Failure) || error.param !== 'password') throw error
      return sendChoiceForm(reply.status(400), texts, token, texts.text('form.badPassword'))
    }
    const user = await ctx.transaction(async (tx) => {
      const reset = await findPasswordReset(tx, keyOf(token))
      if (!reset) return undefined
      const { user, organization } = reset
      await updatePassword(tx, user, hash)
      await revokeAllSignIns(ctx, tx, user)
      await audit(tx, ctx, { organization, actor: user, action: 'user.password-changed', subject: user })
      return user
    })
    if (!user) return sendUsedLink(reply, texts)
    const account = { id: user, password_hash: hash }
    const signedIn = await startSession(ctx, request, reply, account, '/account')
    return signedIn ?? sendUsedLink(reply, texts)
  })

  const keyOf = (token: string) => ({ hash: hashToken(token), now: ctx.clock.now() })

  function sendRequestForm(reply: FastifyReply, texts: Texts, wrong?: string): FastifyReply {
    const { text } = texts
    const form = html`<p>${text('reset.what')}</p>
<form method="post" action="/auth/password">
${accountField(texts)}
<button type="submit">${text('reset.do')}</button>
</form>`
    return sendPage(reply, texts, {
      title: text('reset.title'),
      main: ctx.mailer ? html`${wrongNotice(wrong)}${form}` : html`<p>${text('reset.ask')}</p>`,
    })
  }
}

function sendChoiceForm(reply: FastifyReply, texts: Texts, token: string, wrong?: string): FastifyReply {
  const { text } = texts
  return sendPage(reply, texts, {
    title: text('reset.choose'),
    main: html`${wrongNotice(wrong)}
<p>${text('reset.ends')}</p>
<form method="post" action="/auth/password/${token}">
${newPasswordField(texts, 'form.newPassword')}
<button type="submit">${text('reset.save')}</button>
</form>`,
  })
}

function sendUsedLink(reply: FastifyReply, texts: Texts): FastifyReply {
  const { text } = texts
  return sendPage(reply.status(410), texts, {
    title: text('reset.title'),
    main: html`<p>${text('reset.spent')}</p><p><a href="/auth/password">${text('reset.title')}</a></p>`,
  })
}
