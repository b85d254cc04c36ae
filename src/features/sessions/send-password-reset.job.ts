import { job } from '../../jobs/job.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import { textsIn } from '../../texts/texts.ts'
import { findUser } from '../users/store.ts'
import { insertPasswordReset } from './store.ts'

const halfAnHour = 30 * 60 * 1000

/** Sends somebody a link to choose another password. The link is made here: what a job is told is no secret. */
export const sendPasswordReset = job({
  kind: 'send-password-reset',
  async handle(ctx, { user: id, language }) {
    const user = await findUser(ctx.db.read, { id })
    if (!ctx.mailer || !user?.email) return
    const token = newToken('passwordReset')
    await ctx.transaction((tx) =>
      insertPasswordReset(tx, { hash: hashToken(token), user_id: id, expires_at: ctx.clock.now() + halfAnHour }),
    )
    const { text } = textsIn(language)
    const { publicUrl } = ctx.config
    const link = `${publicUrl}/auth/password/${token}`
    await ctx.mailer({
      to: user.email,
      subject: text('reset.subject'),
      text: text('reset.mail', { user: user.username, server: publicUrl, link }),
    })
  },
})
