import { job } from '../../platform/queue/job.ts'
import { textsIn } from '../../texts/texts.ts'
import { findUser } from '../../features/people/users/store.ts'

/** Notifies a user by mail of a change of an account, in case another person made it. */
export const sendAccountNotice = job({
  kind: 'send-account-notice',
  async handle(ctx, { user: id, notice, language, by, student }) {
    const user = await findUser(ctx.db.read, { id })
    if (!ctx.mailer || !user?.email) return
    const nameOf = async (id: string | undefined) =>
      id === undefined ? '' : ((await findUser(ctx.db.read, { id }))?.username ?? id)
    const values = {
      user: user.username,
      server: ctx.config.publicUrl,
      by: await nameOf(by),
      student: await nameOf(student),
    }
    const { text } = textsIn(language)
    const advice = text(by === undefined ? 'notice.notYou' : 'notice.notWanted')
    await ctx.mailer.send({
      to: user.email,
      subject: text('notice.subject', values),
      text: [text(`notice.${notice}`, values), advice].join('\n\n'),
    })
  },
})
