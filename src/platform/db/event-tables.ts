import type { EventType } from '../../contract/event-types.ts'
import { bytes, index, integer, key, text, type RowOf, table } from './define-table.ts'

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

  /** An address to which the events of an organization or of an account are sent (features/people/webhooks). */
  webhook_endpoints: table(
    {
      id: key().primaryKey(),
      organization_id: key().nullable().references('organizations.id', 'cascade'),
      user_id: key().nullable().references('users.id', 'cascade'),
      /** Who added it. Null for the command line, and after the account was erased. */
      created_by: key().nullable().references('users.id', 'set null'),
      url: text(),
      /** JSON array of the types that are sent. Empty for all. */
      types: text(),
      /** The secret that signs what is sent, encrypted (platform/secrets). */
      secret: bytes(),
      /** The secret before it, which signs as well for some time. */
      earlier_secret: bytes().nullable(),
      earlier_secret_until: integer().nullable(),
      /** Why nothing is sent: the user turned it off, the receiver answered 410, or it failed for days. Null while it is on. */
      off_reason: key<'user' | 'gone' | 'failing'>().nullable(),
      /** Since when each attempt has failed. Null after a success. */
      failing_since: integer().nullable(),
      created_at: integer(),
    },
    {
      indexes: [
        index('webhook_endpoints_by_creator', ['created_by'], 'created_by is not null'),
        index('webhook_endpoints_of_organization', ['organization_id', 'id'], 'organization_id is not null'),
        index('webhook_endpoints_of_user', ['user_id', 'id'], 'user_id is not null'),
      ],
    },
  ),

  /** One message to an endpoint, with its last attempt. */
  webhook_deliveries: table(
    {
      id: key().primaryKey(),
      endpoint_id: key().references('webhook_endpoints.id', 'cascade'),
      /** Null for a test message. */
      event_id: key().nullable().references('events.id', 'cascade'),
      type: key<WebhookType>(),
      state: key<'waiting' | 'sending' | 'delivered' | 'failed'>(),
      attempts: integer(),
      /** When it is sent, or the end of the lease of the worker that sends it. Null when it is over. */
      due_at: integer().nullable(),
      attempted_at: integer().nullable(),
      /** The status of the last response. Null if there was none. */
      status: integer().nullable(),
      /** How long the last attempt took, in milliseconds. */
      duration: integer().nullable(),
      /** The start of the last response, or why there was none. */
      response: text().nullable(),
      created_at: integer(),
    },
    {
      indexes: [
        index('webhook_deliveries_by_created_at', ['created_at']),
        index('webhook_deliveries_by_endpoint', ['endpoint_id', 'id']),
        index('webhook_deliveries_by_event', ['event_id'], 'event_id is not null'),
        index('webhook_deliveries_due', ['endpoint_id', 'due_at', 'id'], 'due_at is not null'),
      ],
    },
  ),
}

/** The type of a message: an event or a test. */
export type WebhookType = EventType | 'webhook.ping'

export type WebhookEndpointsTable = RowOf<typeof eventTables.webhook_endpoints>
export type WebhookDeliveriesTable = RowOf<typeof eventTables.webhook_deliveries>
export type EventsTable = RowOf<typeof eventTables.events>
