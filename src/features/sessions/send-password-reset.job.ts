import { job } from '../../jobs/job.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import { textsIn } from '../../texts/texts.ts'
import { audit } from '../audit/audit.ts'
import { findUser } from '../users/store.ts'
import { type Allowance, countAttempt, usedUpUntil } from './attempts.ts'
import { insertPasswordReset } from './store.ts'

const halfAnHour = 30 * 60 * 1000
const day = 24 * 60 * 60 * 1000
/** How many such mails somebody gets in a day, whoever asks for them. */
const mostMails = 10

/** Sends somebody a link to choose another password. The link is made here: what a job is told is no secret. */
export const sendPasswordReset = job({
  kind: 'send-password-reset',
  async handle(ctx, { user: id, language }) {
    const user = id === null ? undefined : await findUser(ctx.db.read, { id })
    if (!ctx.mailer || !user?.email) return
    const mails: Allowance[] = [{ of: ['reset-to', user.id], most: mostMails, within: day }]
    if ((await usedUpUntil(ctx, ctx.db.read, mails)) !== undefined) return
    const token = newToken('passwordReset')
    await ctx.transaction(async (tx) => {
      const expires_at = ctx.clock.now() + halfAnHour
      await insertPasswordReset(tx, { hash: hashToken(token), user_id: user.id, expires_at })
      // Here and not where it is asked for, which costs the same whether there is the account or not.
      const event = { organization: user.organization_id, actor: null, subject: user.id }
      await audit(tx, ctx, { ...event, action: 'user.password-reset-requested' })
    })
    const { text } = textsIn(language)
    const { publicUrl } = ctx.config
    const link = `${publicUrl}/auth/password/${token}`
    await ctx.mailer({
      to: user.email,
      subject: text('reset.subject'),
      text: text('reset.mail', { user: user.username, server: publicUrl, link }),
    })
    // Those that were sent: what could not be is tried again.
    await ctx.transaction((tx) => countAttempt(ctx, tx, mails))
  },
})
