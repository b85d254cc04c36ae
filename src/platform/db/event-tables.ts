import type { EventType } from '../../contract/event-types.ts'
import { index, integer, key, text, type RowOf, table } from './define-table.ts'

/** What programs learn of changes (features/people/events). */
export const eventTables = {
  /**
   * Ids and states, no texts. Rows are only added, in the transaction of the change, and deleted after some days. An event belongs
   * either to an organization or to an account.
   */
  events: table(
    {
      id: key().primaryKey(),
      organization_id: key().nullable().references('organizations.id', 'cascade'),
      user_id: key().nullable().references('users.id', 'cascade'),
      type: key<EventType>(),
      /** Null for the server and its command line. */
      actor_id: key().nullable(),
      /** JSON object: the ids of the objects by their kind. */
      objects: text(),
      /**
       * The place in the order in which events are read. It is given after the commit, so that no event appears before one that
       * was read already. Null until then.
       */
      position: integer().nullable(),
      created_at: integer(),
    },
    {
      indexes: [
        index('events_by_position', ['position', 'id']),
        index('events_of_organization', ['organization_id', 'position'], 'organization_id is not null'),
        index('events_of_user', ['user_id', 'position'], 'user_id is not null'),
      ],
    },
  ),
}

export type EventsTable = RowOf<typeof eventTables.events>
