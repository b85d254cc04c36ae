import { job } from '../../platform/queue/job.ts'
import { textsIn } from '../../texts/texts.ts'
import { findUser } from '../../features/people/users/store.ts'

/** Notifies a user by mail of a change of the account, in case another person made it. */
export const sendAccountNotice = job({
  kind: 'send-account-notice',
  async handle(ctx, { user: id, notice, language }) {
    const user = await findUser(ctx.db.read, { id })
    if (!ctx.mailer || !user?.email) return
    const { text } = textsIn(language)
    const values = { user: user.username, server: ctx.config.publicUrl }
    await ctx.mailer({
      to: user.email,
      subject: text('notice.subject', values),
      text: [text(`notice.${notice}`, values), text('notice.notYou')].join('\n\n'),
    })
  },
})
