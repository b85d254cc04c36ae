import { CalendarFeed } from '../../../contract/notifications.ts'
import { operation } from '../../../operation.ts'
import { feedAddressOf } from './feed-address.ts'
import { findFeedVersion } from './feeds.store.ts'

export const getCalendarFeed = operation({
  id: 'getCalendarFeed',
  accepts: 'session',
  tag: 'Account',
  summary: 'Get the address at which calendar programs read the due dates of the user',
  responses: { 200: CalendarFeed },
  async handle({ ctx, actor }): Promise<CalendarFeed> {
    const version = await findFeedVersion(ctx.db.read, actor.id)
    return { address: version === undefined ? null : feedAddressOf(ctx, actor.id, version) }
  },
})
