import type { Context } from '../../../context.ts'
import { maxWebhooks } from '../../../contract/webhook-limits.ts'
import { fail } from '../../../errors.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { WebError } from '../../../platform/web-client/web-client.ts'
import { audit } from '../audit/audit.ts'
import { enqueueDelivery, newDelivery } from '../events/dispatch.ts'
import { insertDeliveries } from '../events/endpoints.store.ts'
import type { Audience } from '../events/store.ts'
import { isAccountEvent, isOrganizationEvent } from '../../../contract/event-types.ts'
import { type Delivery, updateDelivery } from './deliveries.store.ts'
import { type Endpoint, insertEndpoint, listEndpoints } from './endpoints.store.ts'
import { makeSecret } from './secrets.ts'

/**
 * Checks an address before it is stored.
 * @throws INVALID_PARAMETER
 */
export function checkUrl({ web }: Pick<Context, 'web'>, url: string): void {
  try {
    web.checkTarget(url)
  } catch (error) {
    if (!(error instanceof WebError)) throw error
    fail('INVALID_PARAMETER', { param: 'url', message: `\`url\` cannot be used: ${error.message}.` })
  }
}

/**
 * Checks that an audience has events of these types.
 * @throws INVALID_PARAMETER
 */
export function checkTypes(audience: Audience, types: readonly string[]): void {
  const has = 'user' in audience ? isAccountEvent : isOrganizationEvent
  const wrong = types.find((type) => !has(type))
  if (wrong !== undefined)
    fail('INVALID_PARAMETER', {
      param: 'types',
      message: `\`types\` has ${wrong}, which this webhook does not get.`,
    })
}

/**
 * Adds an endpoint.
 * @param by the account that adds it. Null for the command line.
 * @returns the endpoint, and its secret, which is shown once
 * @throws INVALID_PARAMETER, TOO_MANY_WEBHOOKS
 */
export async function addEndpoint(
  ctx: Context,
  audience: Audience,
  { url, types, by }: { url: string; types: readonly string[]; by: string | null },
): Promise<{ endpoint: Endpoint; secret: string }> {
  checkUrl(ctx, url)
  checkTypes(audience, types)
  const id = ctx.newId()
  const { secret, text } = makeSecret(ctx, id)
  const endpoint: Endpoint = {
    id,
    organization_id: 'organization' in audience ? audience.organization : null,
    user_id: 'user' in audience ? audience.user : null,
    created_by: by,
    url,
    types: JSON.stringify([...new Set(types)]),
    secret,
    earlier_secret: null,
    earlier_secret_until: null,
    off_reason: null,
    failing_since: null,
    created_at: ctx.clock.now(),
  }
  await ctx.transaction(async (tx) => {
    if ((await listEndpoints(tx, audience)).length >= maxWebhooks) fail('TOO_MANY_WEBHOOKS')
    await insertEndpoint(tx, endpoint)
    await auditWebhook(ctx, tx, endpoint, { by, action: 'webhook.added' })
  })
  return { endpoint, secret: text }
}

/** Records what was done to an endpoint. */
export const auditWebhook = (
  ctx: Context,
  tx: Transaction,
  { id, organization_id, user_id }: Endpoint,
  event: {
    by: string | null
    action: 'webhook.added' | 'webhook.changed' | 'webhook.deleted'
    fields?: readonly string[]
  },
): Promise<void> => {
  const { by, action, fields } = event
  return audit(tx, ctx, {
    organization: user_id === null ? organization_id : { of: user_id },
    actor: by,
    action,
    subject: user_id,
    details: { webhook: id, ...(fields && { fields }) },
  })
}

/**
 * Queues a test message.
 * @throws WEBHOOK_IS_OFF
 */
export async function sendTest(ctx: Context, tx: Transaction, endpoint: Endpoint): Promise<Delivery> {
  checkIsOn(endpoint)
  const now = ctx.clock.now()
  const delivery: Delivery = {
    ...newDelivery,
    id: ctx.newId(),
    endpoint_id: endpoint.id,
    event_id: null,
    type: 'webhook.ping',
    due_at: now,
    created_at: now,
  }
  await insertDeliveries(tx, [delivery])
  await enqueueDelivery(ctx, tx, endpoint)
  return delivery
}

/**
 * Queues a delivery again, with the same id of the message.
 * @throws WEBHOOK_IS_OFF
 */
export async function sendAgain(
  ctx: Context,
  tx: Transaction,
  endpoint: Endpoint,
  delivery: Delivery,
): Promise<Delivery> {
  checkIsOn(endpoint)
  if (delivery.state === 'sending') return delivery
  const change = { state: 'waiting', attempts: 0, due_at: ctx.clock.now() } as const
  await updateDelivery(tx, delivery.id, change)
  await enqueueDelivery(ctx, tx, endpoint)
  return { ...delivery, ...change }
}

function checkIsOn({ off_reason }: Endpoint): void {
  if (off_reason !== null) fail('WEBHOOK_IS_OFF')
}
