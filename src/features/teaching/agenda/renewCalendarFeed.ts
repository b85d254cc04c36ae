import { CalendarFeed } from '../../../contract/notifications.ts'
import { operation } from '../../../operation.ts'
import { checkMember } from '../../people/organizations/policy.ts'
import { loadOwnAccount } from '../../people/users/own-account.ts'
import { feedAddressOf } from './feed-address.ts'
import { saveFeed } from './feeds.store.ts'

export const renewCalendarFeed = operation({
  id: 'renewCalendarFeed',
  accepts: 'session',
  returnsSecret: true,
  tag: 'Account',
  summary: 'Create an address at which calendar programs read the due dates of the user',
  description: 'For members of an organization. An earlier address is invalid then.',
  responses: { 200: CalendarFeed },
  async handle({ ctx, actor }): Promise<CalendarFeed> {
    checkMember(actor)
    const version = ctx.newId()
    await ctx.transaction(async (tx) => {
      await loadOwnAccount(tx, actor)
      await saveFeed(tx, actor.id, version, ctx.clock.now())
    })
    return { address: feedAddressOf(ctx, actor.id, version) }
  },
})
