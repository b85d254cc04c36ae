import { EmailChange, PasswordChange, Security } from '../contract/account-security.ts'
import { fail } from '../errors.ts'
import { audit } from '../features/audit/audit.ts'
import { askForVerification, findEmailVerification } from '../features/sessions/email-verifications.ts'
import { endSignIns } from '../features/sessions/ending.ts'
import { deletePendingSignInsOf } from '../features/sessions/pending-sign-ins.ts'
import { countRecoveryCodes, hasSecondFactor } from '../features/sessions/second-factors.ts'
import { beginSession } from '../features/sessions/session.ts'
import { deleteOtherSessions, listSessions } from '../features/sessions/store.ts'
import { emailKey, hashPassword, hasNoPassword, identityOf } from '../features/users/accounts.ts'
import { nameWithAddress } from '../features/users/free-names.ts'
import { findCredentials, updatePassword } from '../features/users/store.ts'
import { checkIsSignedIn, sessionCookie, type Visitor } from '../http/session.ts'
import { dateTime } from '../lib/date-time.ts'
import { hashToken } from '../lib/tokens.ts'
import { Answer, type Context } from '../operation.ts'
import { tellOf } from './notices.ts'
import { countDone, provePassword, refuse } from './proof.ts'
import { accountRoute } from './route.ts'

/** How somebody signs in: the password, the address, and where they are signed in. */
export const securityRoutes = [
  accountRoute({
    method: 'GET',
    path: '/security',
    response: Security,
    handle: ({ ctx, visitor }) => securityOf(ctx, visitor),
  }),

  /** Ends everything else that was signed in, tokens and apps as well; this session goes on as a new one. */
  accountRoute({
    method: 'PUT',
    path: '/security/password',
    body: PasswordChange,
    response: Security,
    async handle(visit) {
      const { ctx, visitor, body } = visit
      const { id, organization_id: organization } = visitor.user
      await provePassword(visit, body.currentPassword)
      const passwordHash = await ctx.passwordPlaces(() => hashPassword(body.password), `proof ${id}`)
      const token = await ctx.transaction(async (tx) => {
        await checkIsSignedIn(ctx, tx, visitor)
        await updatePassword(tx, id, passwordHash)
        await endSignIns(tx, id)
        await audit(tx, ctx, { organization, actor: id, action: 'user.password-changed', subject: id })
        await tellOf(visit, tx, 'passwordChanged')
        return beginSession(ctx, tx, id)
      })
      ctx.actors.forget()
      const state = await securityOf(ctx, { ...visitor, session: hashToken(token) })
      return new Answer(state, { headers: { 'Set-Cookie': sessionCookie(token, ctx.config.publicUrl) } })
    },
  }),

  /** Has a link sent to an address, which is that of the account once the link is used. */
  accountRoute({
    method: 'PUT',
    path: '/security/email',
    body: EmailChange,
    response: Security,
    async handle(visit) {
      const { ctx, visitor, body, texts } = visit
      const { user } = visitor
      const email = body.email.trim()
      if (!ctx.mailer) fail('NO_MAILS_SENT')
      if (email === '') fail('INVALID_PARAMETER', { param: 'email', message: '`email` is empty.' })
      identityOf({ ...user, username: await nameWithAddress(ctx.db.read, user, email), email })
      await provePassword(visit, body.password)
      await countDone(visit, [{ of: ['email-mail', user.id], most: 3 }])
      await ctx.transaction(async (tx) => {
        await checkIsSignedIn(ctx, tx, visitor)
        if (user.email_key !== emailKey(email)) await tellOf(visit, tx, 'emailAsked')
        const refusedUntil = await askForVerification(ctx, tx, { user: user.id, email, language: texts.language })
        if (refusedUntil !== undefined) refuse(refusedUntil - ctx.clock.now())
      })
      return securityOf(ctx, visitor)
    },
  }),

  accountRoute({
    method: 'POST',
    path: '/security/sessions/end-others',
    async handle({ ctx, visitor }) {
      const { id, organization_id: organization } = visitor.user
      await ctx.transaction(async (tx) => {
        await checkIsSignedIn(ctx, tx, visitor)
        await deletePendingSignInsOf(tx, id)
        const ended = await deleteOtherSessions(tx, { user: id, but: visitor.session })
        if (ended === 0) return
        const event = { organization, actor: id, action: 'user.sessions-ended', subject: id } as const
        await audit(tx, ctx, { ...event, details: { sessions: ended } })
      })
    },
  }),
]

async function securityOf({ clock, mailer, db }: Context, { user, session }: Visitor): Promise<Security> {
  const now = clock.now()
  const [credentials, isOn, recoveryCodesLeft, waiting, sessions] = await Promise.all([
    findCredentials(db.read, user),
    hasSecondFactor(db.read, user.id),
    countRecoveryCodes(db.read, user.id),
    findEmailVerification(db.read, { user: user.id, now }),
    listSessions(db.read, { user: user.id, now }),
  ])
  return {
    hasPassword: credentials !== undefined && !hasNoPassword(credentials),
    secondFactor: { isOn, recoveryCodesLeft },
    email: {
      address: user.email,
      isVerified: user.email_verified === 1,
      waiting: waiting?.email ?? null,
      canBeVerified: mailer !== undefined,
    },
    sessions: sessions.map(({ hash, created_at, expires_at, created_by }) => ({
      startedAt: dateTime(created_at),
      endsAt: dateTime(expires_at),
      isCurrent: hash === session,
      isByLink: created_by !== null,
    })),
  }
}
