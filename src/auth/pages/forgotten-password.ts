import type { FastifyInstance } from 'fastify'
import { Failure } from '../../errors.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'
import { findPasswordReset } from '../sessions/store.ts'
import { findCandidates, hashPassword } from '../../features/people/users/accounts.ts'
import { updatePassword } from '../../features/people/users/store.ts'
import { html } from '../../http/html.ts'
import { networkOf } from '../../http/network.ts'
import { type PageResponse, pageResponse, pageRoute } from '../../http/page.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import type { Texts } from '../../texts/catalogue.ts'
import { textsFor } from '../../texts/texts.ts'
import { sortKey } from '../../lib/sort-key.ts'
import { trustedDeviceTokenOf } from '../throttling/trusted-device-cookie.ts'
import { tryAttempt } from '../throttling/attempt-limits.store.ts'
import { minutesOf, secondsUntil } from '../throttling/next-attempt.ts'
import { minPasswordLength } from '../passwords/password-policy.ts'
import { accountErrors, accountField, newPasswordField, refusalText } from './fields.ts'
import { type Refusal, type WithForm, wrongNotice } from './pages.ts'
import { startSession } from './sign-in.ts'

type WithToken = { Params: { token: string } }

/**
 * Pages to request and use a mailed password reset link. The response does not reveal whether the account
 * exists.
 */
export function forgottenPassword(scope: FastifyInstance, ctx: Context): void {
  pageRoute(scope, 'GET', '/auth/password', ({ headers }) => requestPage(textsFor(headers)))

  if (ctx.mailer) {
    pageRoute<WithForm>(scope, 'POST', '/auth/password', async ({ headers, body: form, ip }) => {
      const texts = textsFor(headers)
      const name = (form.get('username') ?? '').trim()
      const { accounts } = await findCandidates(ctx.db.read, name)
      const [account] = accounts
      // Others cannot use up the mails of the owner, who has a limit for each trusted device.
      const token =
        account && accounts.length === 1 ? trustedDeviceTokenOf(ctx, headers, account.id) : undefined
      // Counted by the typed name: a limit of the account would show whether it exists. The job limits its mails.
      const limits = [
        { key: ['password-mail', token ?? sortKey(name)], max: 3 },
        ...(token ? [] : [{ key: ['password-mail', networkOf(ip)], max: 100 }]),
      ]
      const refusedUntil = await ctx.transaction(async (tx) => {
        const until = await tryAttempt(ctx, tx, limits)
        if (until !== undefined) return until
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
        return undefined
      })
      if (refusedUntil !== undefined) {
        const seconds = secondsUntil(ctx, refusedUntil)
        const wrong = texts.text('form.tooMany', minutesOf(seconds))
        return requestPage(texts, { status: 429, retryAfter: seconds, wrong })
      }
      return pageResponse(texts, {
        title: texts.text('reset.title'),
        main: html`<p class="notice" role="status">${texts.text('reset.sent')}</p>`,
      })
    })
  }

  pageRoute<WithToken>(scope, 'GET', '/auth/password/:token', async ({ headers, params: { token } }) => {
    const texts = textsFor(headers)
    const reset = await findPasswordReset(ctx.db.read, keyOf(token))
    if (!reset) return usedLinkPage(texts)
    return choicePage(texts, token, minPasswordLength(ctx.config, reset))
  })

  pageRoute<WithToken & WithForm>(scope, 'POST', '/auth/password/:token', async (request) => {
    const texts = textsFor(request.headers)
    const { token } = request.params
    const password = request.body.get('password') ?? ''
    // Checks the link before the password is hashed, so that requests without a link cost little.
    const reset = await findPasswordReset(ctx.db.read, keyOf(token))
    if (!reset) return usedLinkPage(texts)
    const { role, organizationMinimum } = reset
    const min = minPasswordLength(ctx.config, reset)
    let hash: string
    try {
      hash = await ctx.auth.passwordHashLimiter.run({ caller: reset.user }, () =>
        hashPassword(ctx.config, { password, role, organizationMinimum, owner: reset }),
      )
    } catch (error) {
      if (!(error instanceof Failure) || error.param !== 'password') throw error
      const wrong = refusalText(texts, error, accountErrors, min)
      return choicePage(texts, token, min, { status: 400, wrong })
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
    if (!user) return usedLinkPage(texts)
    const account = { id: user, password_hash: hash }
    const signedIn = await startSession(ctx, request, account, '/')
    return signedIn ?? usedLinkPage(texts)
  })

  const keyOf = (token: string) => ({ hash: hashToken(token), now: ctx.clock.now() })

  function requestPage(texts: Texts, { wrong, ...refusal }: Partial<Refusal> = {}): PageResponse {
    const { text } = texts
    const form = html`<p>${text('reset.what')}</p>
<form method="post" action="/auth/password">
${accountField(texts)}
<button type="submit">${text('reset.do')}</button>
</form>`
    return pageResponse(texts, {
      ...refusal,
      title: text('reset.title'),
      main: ctx.mailer ? html`${wrongNotice(wrong)}${form}` : html`<p>${text('reset.ask')}</p>`,
    })
  }
}

function choicePage(
  texts: Texts,
  token: string,
  min: number,
  { wrong, ...refusal }: Partial<Refusal> = {},
): PageResponse {
  const { text } = texts
  return pageResponse(texts, {
    ...refusal,
    title: text('reset.choose'),
    main: html`${wrongNotice(wrong)}
<p>${text('reset.ends')}</p>
<form method="post" action="/auth/password/${token}">
${newPasswordField(texts, min, 'form.newPassword')}
<button type="submit">${text('reset.save')}</button>
</form>`,
  })
}

function usedLinkPage(texts: Texts): PageResponse {
  const { text } = texts
  return pageResponse(texts, {
    status: 410,
    title: text('reset.title'),
    main: html`<p>${text('reset.spent')}</p><p><a href="/auth/password">${text('reset.title')}</a></p>`,
  })
}
