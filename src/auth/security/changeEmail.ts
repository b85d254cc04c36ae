import { EmailChange, Security } from '../../contract/account-security.ts'
import { fail } from '../../errors.ts'
import { emailKey, identityOf } from '../../features/people/users/accounts.ts'
import { nameWithAddress } from '../../features/people/users/free-names.ts'
import { loadOwnAccount } from '../../features/people/users/own-account.ts'
import { operation } from '../../operation.ts'
import { requestEmailVerification } from '../sessions/email-verifications.store.ts'
import { sendNotice } from '../sessions/notices.ts'
import { checkIsSignedIn } from '../sessions/session-user.ts'
import { secondsUntil } from '../throttling/next-attempt.ts'
import { composeSecurity } from './compose.ts'
import { countAction, provePassword, refuse } from './proof.ts'

export const changeEmail = operation({
  id: 'changeEmail',
  accepts: 'session',
  tag: 'Account',
  summary: 'Ask for another address',
  description: 'Sends a link to the address. It becomes the address of the account when the link is used.',
  body: EmailChange,
  responses: { 200: Security },
  async handle({ ctx, actor, body, request }) {
    const user = await loadOwnAccount(ctx.db.read, actor)
    const email = body.email.trim()
    const language = request.textLanguage()
    if (!ctx.mailer) fail('NO_MAILS_SENT')
    if (email === '') fail('INVALID_PARAMETER', { param: 'email', message: '`email` is empty.' })
    identityOf({ ...user, username: await nameWithAddress(ctx.db.read, user, email), email })
    await provePassword(ctx, actor, body.password)
    await countAction(ctx, [{ key: ['email-mail', user.id], max: 3 }])
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      if (user.email_key !== emailKey(email)) {
        await sendNotice(ctx, tx, { user: user.id, notice: 'emailAsked', language })
      }
      const refusedUntil = await requestEmailVerification(ctx, tx, { user: user.id, email, language })
      if (refusedUntil !== undefined) refuse(secondsUntil(ctx, refusedUntil))
    })
    return composeSecurity(ctx, actor)
  },
})
