import { Events, eventsQuery } from '../../../contract/events.ts'
import { organizationEventTypes } from '../../../contract/event-types.ts'
import { operation } from '../../../operation.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { readEvents } from './reading.ts'

export const listOrganizationEvents = operation({
  id: 'listOrganizationEvents',
  tag: 'Organization',
  summary: 'List what has happened in the organization',
  description:
    'For administrators. The events of classes, assignments, submissions and members, oldest first: who did what, without ' +
    'texts and grades. To catch up, send the id of the last event that you have as `after`, until the list is shorter than ' +
    '`limit`.',
  scopes: ['edu.admin', 'edu.admin.readonly'],
  checkRole: checkAdministrator,
  query: eventsQuery(organizationEventTypes),
  responses: { 200: Events },
  errors: [400, 403],
  handle: ({ ctx, actor, query }) =>
    readEvents(ctx, { organization: checkAdministrator(actor).organization }, query, organizationEventTypes),
})
