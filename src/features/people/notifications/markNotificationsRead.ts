import { NotificationsRead } from '../../../contract/notifications.ts'
import { Empty, operation } from '../../../operation.ts'
import { markRead } from './store.ts'

export const markNotificationsRead = operation({
  id: 'markNotificationsRead',
  accepts: 'session',
  tag: 'Account',
  summary: 'Mark one notification as read, or also all older ones',
  body: NotificationsRead,
  responses: { 204: Empty },
  async handle({ ctx, actor, body: { id, andOlder = false } }) {
    await ctx.transaction((tx) => markRead(tx, { user: actor.id, id, andOlder, now: ctx.clock.now() }))
  },
})
