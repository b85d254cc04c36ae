import type { Webhook, WebhookDelivery } from '../../../contract/webhooks.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { Delivery } from './deliveries.store.ts'
import type { Endpoint } from './endpoints.store.ts'

const dateOrNull = (time: number | null) => (time === null ? null : dateTime(time))

/** @param now milliseconds since 1970 */
export function presentWebhook(row: Endpoint, now: number): Webhook {
  const { id, url, organization_id, types, off_reason, failing_since, earlier_secret_until, created_at } = row
  const isEarlierValid = earlier_secret_until !== null && earlier_secret_until > now
  return {
    id,
    url,
    isOfOrganization: organization_id !== null,
    types: JSON.parse(types),
    offReason: off_reason,
    failingSince: dateOrNull(failing_since),
    earlierSecretUntil: isEarlierValid ? dateTime(earlier_secret_until) : null,
    createdAt: dateTime(created_at),
  }
}

export const presentDelivery = (row: Delivery): WebhookDelivery => ({
  id: row.id,
  message: row.event_id ?? row.id,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  nextAt: dateOrNull(row.due_at),
  attemptedAt: dateOrNull(row.attempted_at),
  status: row.status,
  duration: row.duration,
  response: row.response,
  createdAt: dateTime(row.created_at),
})
