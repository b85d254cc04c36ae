import Type, { type Static } from 'typebox'
import { accountEventTypes, organizationEventTypes } from './event-types.ts'
import { DateTime, Nullable, OneOf } from './schema.ts'
import { maxWebhookUrlLength } from './webhook-limits.ts'

const Types = Type.Array(OneOf([...accountEventTypes, ...organizationEventTypes]), { maxItems: 100 })
const WebhookUrl = Type.String({ maxLength: maxWebhookUrlLength })

/** An address to which events are sent. */
export const Webhook = Type.Object({
  id: Type.String(),
  url: Type.String(),
  /** Whether it gets the events of the organization. Otherwise those of the account. */
  isOfOrganization: Type.Boolean(),
  /** Empty for all types. */
  types: Types,
  /** Why nothing is sent. Null while it is on. */
  offReason: Nullable(OneOf(['user', 'gone', 'failing'])),
  /** Since when each attempt has failed. Null after a success. */
  failingSince: Nullable(DateTime),
  /** Until when the secret before this one also signs. Null if there is none. */
  earlierSecretUntil: Nullable(DateTime),
  createdAt: DateTime,
})
export type Webhook = Static<typeof Webhook>

export const Webhooks = Type.Array(Webhook)

export const NewWebhook = Type.Object({
  url: WebhookUrl,
  types: Types,
  /** Only administrators can choose the events of the organization. */
  isOfOrganization: Type.Boolean(),
})
export type NewWebhook = Static<typeof NewWebhook>

/** The only answers with the secret. */
export const WebhookWithSecret = Type.Object({ ...Webhook.properties, secret: Type.String() })
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const WebhookChange = Type.Object({
  url: Type.Optional(WebhookUrl),
  types: Type.Optional(Types),
  isOn: Type.Optional(Type.Boolean()),
})

export const WebhookDelivery = Type.Object({
  id: Type.String(),
  /** The id of the event, which is sent as `webhook-id`. The id of the delivery for a test. */
  message: Type.String(),
  type: Type.String(),
  state: OneOf(['waiting', 'sending', 'delivered', 'failed']),
  attempts: Type.Integer(),
  /** When the next attempt is made. Null when it is over. */
  nextAt: Nullable(DateTime),
  attemptedAt: Nullable(DateTime),
  status: Nullable(Type.Integer()),
  /** Milliseconds of the last attempt. */
  duration: Nullable(Type.Integer()),
  /** The start of the last response, or why there was none. */
  response: Nullable(Type.String()),
  createdAt: DateTime,
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveries = Type.Object({
  deliveries: Type.Array(WebhookDelivery),
  /** The cursor of older deliveries. Null if there are none. */
  next: Nullable(Type.String()),
})

export const WebhookDeliveriesQuery = Type.Object({ cursor: Type.Optional(Type.String()) })

export const WebhookDeliveryParams = Type.Object({ id: Type.String(), delivery: Type.String() })
