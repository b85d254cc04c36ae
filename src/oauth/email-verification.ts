import type { FastifyInstance } from 'fastify'
import { isUniqueViolation } from '../db/violations.ts'
import { audit } from '../features/audit/audit.ts'
import { acceptInvitations } from '../features/scores/collaborators.ts'
import { deleteEmailVerification, findEmailVerification } from '../features/sessions/email-verifications.ts'
import { deletePasswordResetsOf } from '../features/sessions/store.ts'
import { emailKey, identityOf } from '../features/users/accounts.ts'
import { nameWithAddress } from '../features/users/free-names.ts'
import { findUser, updateUser } from '../features/users/store.ts'
import { html } from '../http/html.ts'
import { checkIsSignedIn, type Visitor } from '../http/session.ts'
import { hashToken } from '../lib/tokens.ts'
import type { Context } from '../operation.ts'
import type { TextKey } from '../texts/catalogue.ts'
import { ownRoute, sendOwnPage, type Visit } from './pages.ts'

/** What came of a link. */
type Outcome = keyof typeof statuses

interface Verified {
  outcome: Outcome
  /** What the account is called now, where it was called by the address of before. */
  renamed?: string
}

const statuses = { done: 200, spent: 410, other: 403, taken: 409 } as const

/**
 * Showing that an address is one's own, by a link that was sent there. To look at the link does not use it up, as programs
 * do that look through mails; and it serves nobody but who has asked for it, so that the owner of an address cannot be
 * brought to give it to the account of somebody else.
 */
export function emailVerification(scope: FastifyInstance, ctx: Context): void {
  const url = '/auth/email/:id'

  ownRoute(scope, ctx, 'GET', url, async (visit, token) => {
    const { reply, texts, visitor } = visit
    const { text } = texts
    const waiting = await findEmailVerification(ctx.db.read, keyOf(token))
    if (!waiting || waiting.user_id !== visitor.user.id) return sendOutcome(visit, waiting ? 'other' : 'spent')
    return sendOwnPage(reply, texts, visitor, {
      title: text('email.title'),
      main: html`<p>${text('email.what', { email: waiting.email, user: visitor.user.username })}</p>
<form method="post" action="/auth/email/${token}"><button type="submit">${text('email.do')}</button></form>`,
    })
  })

  ownRoute(scope, ctx, 'POST', url, async (visit, token) => {
    const { outcome, renamed } = await verify(visit.visitor, token).catch((error): Verified => {
      if (isUniqueViolation(error, 'users.email_key')) return { outcome: 'taken' }
      throw error
    })
    return sendOutcome(visit, outcome, renamed)
  })

  const keyOf = (token: string) => ({ hash: hashToken(token), now: ctx.clock.now() })

  /** Of two accounts that show the same address to be theirs, the first one has it: the other one breaks the key of the table. */
  async function verify(visitor: Visitor, token: string): Promise<Verified> {
    return ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, visitor)
      const waiting = await findEmailVerification(tx, keyOf(token))
      const user = await findUser(tx, visitor.user)
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
      // They were sent to the address of before.
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

function sendOutcome({ reply, texts, visitor }: Visit, outcome: Outcome, renamed?: string) {
  const { text } = texts
  const key: TextKey = `email.${outcome}`
  return sendOwnPage(reply.status(statuses[outcome]), texts, visitor, {
    title: text('email.title'),
    main: html`<p class="notice" role="status">${text(key, { user: visitor.user.username })}</p>
${renamed === undefined ? '' : html`<p>${text('email.renamed', { user: renamed })}</p>`}
<p><a href="/account">${text('nav.account')}</a></p>`,
  })
}
