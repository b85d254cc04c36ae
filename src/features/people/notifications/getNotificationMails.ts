import { NotificationMails } from '../../../contract/notifications.ts'
import { operation } from '../../../operation.ts'
import { loadOwnAccount } from '../users/own-account.ts'
import { mailObstacleOf } from './mail-obstacle.ts'
import { findMails } from './mails.store.ts'

export const getNotificationMails = operation({
  id: 'getNotificationMails',
  accepts: 'session',
  tag: 'Account',
  summary: 'Get how often the user gets mails about notifications',
  responses: { 200: NotificationMails },
  async handle({ ctx, actor }): Promise<NotificationMails> {
    const [user, { frequency }] = await Promise.all([
      loadOwnAccount(ctx.db.read, actor),
      findMails(ctx.db.read, actor.id),
    ])
    return { frequency, obstacle: ctx.mailer ? mailObstacleOf(user) : 'no mail server' }
  },
})
