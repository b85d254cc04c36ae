import { Answer } from '../../answer.ts'
import { PasswordChange, Security } from '../../contract/account-security.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { hashPassword, passwordHolderOf } from '../../features/people/users/accounts.ts'
import { loadOwnAccount } from '../../features/people/users/own-account.ts'
import { updatePassword } from '../../features/people/users/store.ts'
import { hashToken } from '../../lib/tokens.ts'
import { operation } from '../../operation.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'
import { sendNotice } from '../sessions/notices.ts'
import { createSession } from '../sessions/session.ts'
import { checkIsSignedIn, sessionCookie } from '../sessions/session-user.ts'
import { composeSecurity } from './compose.ts'
import { provePassword } from './proof.ts'

export const changePassword = operation({
  id: 'changePassword',
  accepts: 'session',
  tag: 'Account',
  summary: 'Change the password',
  description:
    'Ends all other sessions, and all tokens and authorizations of apps. The current session continues under a new cookie.',
  body: PasswordChange,
  responses: { 200: Security },
  async handle({ ctx, actor, body, request }) {
    const { id, access } = actor
    await provePassword(ctx, actor, body.currentPassword)
    const user = await loadOwnAccount(ctx.db.read, actor)
    const newPassword = { password: body.password, ...passwordHolderOf(user) }
    const hash = () => hashPassword(ctx.config, newPassword)
    const passwordHash = await ctx.auth.passwordHashLimiter.run(request, hash)
    const token = await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, access.hash)
      await updatePassword(tx, id, passwordHash)
      await revokeAllSignIns(ctx, tx, id)
      await auditOwn(tx, ctx, id, { action: 'user.password-changed' })
      await sendNotice(ctx, tx, { user: id, notice: 'passwordChanged', language: request.textLanguage() })
      return createSession(ctx, tx, id)
    })
    const security = await composeSecurity(ctx, actor, hashToken(token))
    return new Answer(security, { headers: { 'Set-Cookie': sessionCookie(token, ctx.config.publicUrl) } })
  },
})
