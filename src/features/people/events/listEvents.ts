import { Events, eventsQuery } from '../../../contract/events.ts'
import { accountEventTypes } from '../../../contract/event-types.ts'
import { operation } from '../../../operation.ts'
import { readEvents } from './reading.ts'

export const listEvents = operation({
  id: 'listEvents',
  tag: 'Account',
  summary: 'List what has happened to your scores',
  description:
    'The events of the scores that the caller owns, oldest first: who did what to which score, without texts. To catch up, ' +
    'send the id of the last event that you have as `after`, until the list is shorter than `limit`.',
  scopes: ['scores.readonly', 'scores'],
  query: eventsQuery(accountEventTypes),
  responses: { 200: Events },
  errors: [400],
  handle: ({ ctx, actor, query }) => readEvents(ctx, { user: actor.id }, query, accountEventTypes),
})
