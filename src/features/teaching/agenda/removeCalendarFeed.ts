import { Empty, operation } from '../../../operation.ts'
import { deleteFeed } from './feeds.store.ts'

export const removeCalendarFeed = operation({
  id: 'removeCalendarFeed',
  accepts: 'session',
  tag: 'Account',
  summary: 'Make the address at which calendar programs read the due dates of the user invalid',
  responses: { 204: Empty },
  async handle({ ctx, actor }) {
    await ctx.transaction((tx) => deleteFeed(tx, actor.id))
  },
})
