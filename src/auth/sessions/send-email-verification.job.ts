import { job } from '../../platform/queue/job.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import { textsIn } from '../../texts/texts.ts'
import { findUser } from '../../features/people/users/store.ts'
import { linkExpiry, findEmailVerification, updateEmailVerification } from './email-verifications.store.ts'

/**
 * Sends a verification link. The payload contains neither the link nor the address, because payloads are
 * stored.
 */
export const sendEmailVerification = job({
  kind: 'send-email-verification',
  async handle(ctx, { user: id, language }) {
    const now = ctx.clock.now()
    const waiting = await findEmailVerification(ctx.db.read, { user: id, now })
    const user = await findUser(ctx.db.read, { id })
    if (!ctx.mailer || !waiting || !user) return
    const token = newToken('emailVerification')
    const link = { hash: hashToken(token), expires_at: linkExpiry(now) }
    if (!(await ctx.transaction((tx) => updateEmailVerification(tx, waiting, link)))) return
    const { text } = textsIn(language)
    const { publicUrl } = ctx.config
    await ctx.mailer.send({
      to: waiting.email,
      subject: text('email.subject'),
      text: text('email.mail', {
        user: user.username,
        server: publicUrl,
        link: `${publicUrl}/auth/email/${token}`,
      }),
    })
  },
})
