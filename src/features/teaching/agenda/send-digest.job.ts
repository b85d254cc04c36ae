import { pathTo } from '../../../contract/app-pages.ts'
import { day } from '../../../lib/durations.ts'
import { job } from '../../../platform/queue/job.ts'
import { textsIn } from '../../../texts/texts.ts'
import { mailObstacleOf } from '../../people/notifications/mail-obstacle.ts'
import { findMails, saveMails } from '../../people/notifications/mails.store.ts'
import { findUser } from '../../people/users/store.ts'
import { digestText } from './digest.ts'
import { oldestDays, settleTime } from './digest-times.ts'
import { listDigestRows } from './notifications.ts'
import { readerOf } from './recipient.ts'

/** Sends a user the unread notifications that no mail has told yet. A process that ends between the mail and its record sends it again. */
export const sendDigest = job({
  kind: 'send-digest',
  async handle(ctx, { user: id }) {
    const user = await findUser(ctx.db.read, { id })
    const reader = user && readerOf(user)
    if (!ctx.mailer || !reader || !user.email || mailObstacleOf(user) !== null) return
    const { frequency, mailed_until } = await findMails(ctx.db.read, id)
    if (frequency === 'off') return
    const now = ctx.clock.now()
    const period = { after: mailed_until, from: now - oldestDays * day, until: now - settleTime }
    const { rows, newest } = await listDigestRows(ctx.db.read, reader, now, period)
    if (newest === undefined) return
    if (rows.length > 0) {
      const { publicUrl } = ctx.config
      const { text } = textsIn(user.locale)
      const unsubscribe = `${publicUrl}/auth/mails/${ctx.mailTokens.tokenOf(user.id, user.email_key ?? '')}`
      await ctx.mailer.send({
        to: user.email,
        subject: text('digest.subject', { number: rows.length }),
        text: [
          text('digest.what', { user: user.username, server: publicUrl }),
          digestText(rows, { text, publicUrl }),
          text('digest.all', { link: publicUrl + pathTo('/notifications') }),
          text('digest.stop', { link: unsubscribe }),
        ].join('\n\n'),
        unsubscribe,
      })
    }
    await ctx.transaction((tx) => saveMails(tx, id, { mailed_until: newest }))
  },
})
