import { requiresProvider } from '../../features/people/organizations/store.ts'
import { job } from '../../platform/queue/job.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import { textsIn } from '../../texts/texts.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { findUser } from '../../features/people/users/store.ts'
import { type AttemptLimit, countAttempt, limitedUntil } from '../throttling/attempt-limits.store.ts'
import { insertPasswordReset } from './store.ts'
import { day, minute } from '../../lib/durations.ts'

const halfAnHour = 30 * minute
/** The maximum number of reset mails that a user gets in a day. */
const maxMails = 10

/**
 * Sends a password reset link. The job creates the link, because payloads are stored and must not contain
 * secrets.
 */
export const sendPasswordReset = job({
  kind: 'send-password-reset',
  async handle(ctx, { user: id, language, isTrustedDevice, by = null }) {
    if (!ctx.mailer || id === null) return
    // Others cannot use up the mails of the owner.
    const requester = by ?? (isTrustedDevice ? 'owner' : 'anyone')
    const mails: AttemptLimit[] = [{ key: ['reset-to', id, requester], max: maxMails, windowMs: day }]
    const [user, signsInElsewhere, refusedUntil] = await Promise.all([
      findUser(ctx.db.read, { id }),
      // The password would open nothing.
      requiresProvider(ctx.db.read, id),
      limitedUntil(ctx, ctx.db.read, mails),
    ])
    if (!user?.email || signsInElsewhere || refusedUntil !== undefined) return
    const token = newToken('passwordReset')
    await ctx.transaction(async (tx) => {
      const expires_at = ctx.clock.now() + halfAnHour
      await insertPasswordReset(tx, { hash: hashToken(token), user_id: user.id, expires_at })
      // Recorded by the job, so that the request takes the same time whether the account exists or not.
      const event = { organization: user.organization_id, actor: by, subject: user.id }
      await audit(tx, ctx, { ...event, action: 'user.password-reset-requested' })
    })
    const { text } = textsIn(language)
    const { publicUrl } = ctx.config
    const link = `${publicUrl}/auth/password/${token}`
    await ctx.mailer.send({
      to: user.email,
      subject: text('reset.subject'),
      text: text('reset.mail', { user: user.username, server: publicUrl, link }),
    })
    // Only sent mails count. A failed job is retried.
    await ctx.transaction((tx) => countAttempt(ctx, tx, mails))
  },
})
