import { job } from '../../../platform/queue/job.ts'
import { textsIn } from '../../../texts/texts.ts'
import { findUser } from '../users/store.ts'
import { findEndpoint } from './endpoints.store.ts'

/** Tells a user by mail that a webhook was turned off. */
export const sendWebhookNotice = job({
  kind: 'send-webhook-notice',
  async handle(ctx, { user: id, endpoint: endpointId }) {
    const [user, endpoint] = await Promise.all([
      findUser(ctx.db.read, { id }),
      findEndpoint(ctx.db.read, endpointId),
    ])
    if (!ctx.mailer || !user?.email || !endpoint?.off_reason || endpoint.off_reason === 'user') return
    const { text } = textsIn(user.locale)
    const values = { url: endpoint.url, server: ctx.config.publicUrl }
    await ctx.mailer.send({
      to: user.email,
      subject: text('webhookMail.subject', values),
      text: [text(`webhookMail.${endpoint.off_reason}`, values), text('webhookMail.advice', values)].join(
        '\n\n',
      ),
    })
  },
})
