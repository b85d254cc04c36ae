import type { FastifyInstance } from 'fastify'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { acceptInvitations } from '../../features/library/scores/collaborators.ts'
import { deleteEmailVerification, findEmailVerification } from '../sessions/email-verifications.store.ts'
import { deletePasswordResetsOf } from '../sessions/store.ts'
import { emailKey, identityOf } from '../../features/people/users/accounts.ts'
import { nameWithAddress } from '../../features/people/users/free-names.ts'
import { findUser, updateUser } from '../../features/people/users/store.ts'
import { html } from '../../http/html.ts'
import type { PageResponse } from '../../http/page.ts'
import { checkIsSignedIn, type SessionUser } from '../sessions/session-user.ts'
import { hashToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import type { TextKey } from '../../texts/catalogue.ts'
import { ownPage, ownRoute, type Visit } from './pages.ts'

/** The result of opening a verification link. */
type Outcome = keyof typeof statuses

interface Verified {
  outcome: Outcome
  /** The new username, if the old one was the previous address. */
  renamed?: string
}

const statuses = { done: 200, spent: 410, other: 403, taken: 409 } as const

/**
 * Verification of an address by a link that was mailed to it. Opening the link does not use it up, because
 * mail scanners open links. Only the account that requested the link can use it, so that the owner of an
 * address cannot be tricked into giving the address to another account.
 */
export function emailVerification(scope: FastifyInstance, ctx: Context): void {
  const url = '/auth/email/:id'

  ownRoute(scope, ctx, 'GET', url, async (visit, token) => {
    const { texts, sessionUser } = visit
    const { text } = texts
    const waiting = await findEmailVerification(ctx.db.read, keyOf(token))
    if (!waiting || waiting.user_id !== sessionUser.user.id)
      return outcomePage(visit, waiting ? 'other' : 'spent')
    return ownPage(texts, sessionUser, {
      title: text('email.title'),
      main: html`<p>${text('email.what', { email: waiting.email, user: sessionUser.user.username })}</p>
<form method="post" action="/auth/email/${token}"><button type="submit">${text('email.do')}</button></form>`,
    })
  })

  ownRoute(scope, ctx, 'POST', url, async (visit, token) => {
    const { outcome, renamed } = await verify(visit.sessionUser, token).catch((error): Verified => {
      if (isUniqueViolation(error, 'users.email_key')) return { outcome: 'taken' }
      throw error
    })
    return outcomePage(visit, outcome, renamed)
  })

  const keyOf = (token: string) => ({ hash: hashToken(token), now: ctx.clock.now() })

  /**
   * If two accounts verify the same address concurrently, the second one violates the unique key of the
   * table.
   */
  async function verify(sessionUser: SessionUser, token: string): Promise<Verified> {
    return ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, sessionUser.session)
      const waiting = await findEmailVerification(tx, keyOf(token))
      const user = await findUser(tx, sessionUser.user)
      if (!waiting || !user) return { outcome: 'spent' }
      if (waiting.user_id !== user.id) return { outcome: 'other' }
      const { email } = waiting
      const isSame = emailKey(email) === user.email_key
      const username = await nameWithAddress(tx, user, email)
      await updateUser(tx, user.id, {
        ...identityOf({ ...user, username, email }),
        email_verified: 1,
        email_vouched: isSame ? user.email_vouched : 0,
      })
      // The reset links were sent to the previous address.
      if (!isSame) await deletePasswordResetsOf(tx, user.id)
      await deleteEmailVerification(tx, user.id)
      await acceptInvitations(tx, user)
      const event = { organization: user.organization_id, actor: user.id, subject: user.id }
      const isRenamed = username !== user.username
      const details = isRenamed ? { fields: ['username'] } : {}
      await audit(tx, ctx, { ...event, action: 'user.email-verified', details })
      return { outcome: 'done', ...(isRenamed && { renamed: username }) }
    })
  }
}

function outcomePage({ texts, sessionUser }: Visit, outcome: Outcome, renamed?: string): PageResponse {
  const { text } = texts
  const key: TextKey = `email.${outcome}`
  return ownPage(texts, sessionUser, {
    status: statuses[outcome],
    title: text('email.title'),
    main: html`<p class="notice" role="status">${text(key, { user: sessionUser.user.username })}</p>
${renamed === undefined ? '' : html`<p>${text('email.renamed', { user: renamed })}</p>`}
<p><a href="/account">${text('nav.account')}</a></p>`,
  })
}
