import { Notifications, NotificationsQuery } from '../../../contract/notifications.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import { operation } from '../../../operation.ts'
import { isMember } from '../../people/organizations/policy.ts'
import { notificationsOf } from './notifications.ts'

export const listNotifications = operation({
  id: 'listNotifications',
  accepts: 'session',
  tag: 'Account',
  summary: 'List what happened to the work of the user, newest first',
  query: NotificationsQuery,
  responses: { 200: Notifications },
  async handle({ ctx, actor, query: { cursor, limit = 25 } }): Promise<Notifications> {
    if (cursor !== undefined && !isId(cursor)) fail('INVALID_CURSOR', { param: 'cursor' })
    // An individual account has no classes.
    if (!isMember(actor)) return { notifications: [], unread: 0, next: null }
    return notificationsOf(ctx.db.read, actor, ctx.clock.now(), { before: cursor, limit })
  },
})
