import { NotificationMailsChange } from '../../../contract/notifications.ts'
import { Empty, operation } from '../../../operation.ts'
import { loadOwnAccount } from '../users/own-account.ts'
import { saveMails } from './mails.store.ts'

export const changeNotificationMails = operation({
  id: 'changeNotificationMails',
  accepts: 'session',
  tag: 'Account',
  summary: 'Change how often the user gets mails about notifications',
  body: NotificationMailsChange,
  responses: { 204: Empty },
  async handle({ ctx, actor, body: { frequency } }) {
    await ctx.transaction(async (tx) => {
      await loadOwnAccount(tx, actor)
      await saveMails(tx, actor.id, { frequency })
    })
  },
})
