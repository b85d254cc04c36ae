import type { Context } from '../../../context.ts'
import { minute, second } from '../../../lib/durations.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { SecretError } from '../../../platform/secrets/secret-box.ts'
import { WebError } from '../../../platform/web-client/web-client.ts'
import { enqueueDelivery } from '../events/dispatch.ts'
import { presentEvent } from '../events/present.ts'
import { listEventsById } from '../events/store.ts'
import {
  claimDue,
  type Delivery,
  type DeliveryChange,
  failWaiting,
  findNextDue,
  updateDelivery,
} from './deliveries.store.ts'
import { type Endpoint, findEndpoint, updateEndpoint } from './endpoints.store.ts'
import { headersOf } from './messages.ts'
import { delayAfter, maxFailing, parseRetryAfter } from './schedule.ts'
import { secretsOf } from './secrets.ts'

/** How many messages an endpoint gets at the same time. */
const atOnce = 4
/** How long the server waits for an endpoint, in milliseconds. */
const timeout = 15 * second
/** The time after which another worker may send what this one has claimed. */
const lease = minute
/** The rounds of one job, so that a busy endpoint does not keep a slot. */
const maxRounds = 25

/** What came of an attempt. */
interface Outcome {
  readonly delivery: Delivery
  /** Undefined without a response. */
  readonly status: number | undefined
  readonly retryAfter: number | undefined
  /** The start of the response, or why there was none. */
  readonly response: string
  readonly startedAt: number
  readonly duration: number
}

const isSuccess = ({ status }: Outcome) => status !== undefined && status >= 200 && status < 300
/** The status with which a receiver says that it wants no more messages. */
const gone = 410

/** Sends what is due to an endpoint, until nothing is or the endpoint fails, and schedules the rest. */
export async function deliverDue(ctx: Context, id: string, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < maxRounds && !signal.aborted; round++) {
    const endpoint = await findEndpoint(ctx.db.read, id)
    if (!endpoint || endpoint.off_reason !== null) return
    const now = ctx.clock.now()
    // If the claim is lost in a crash, the messages are sent again with the same ids.
    const claimed = await ctx.transaction(
      (tx) => claimDue(tx, { endpoint: id, now, until: now + lease, most: atOnce }),
      { durable: false },
    )
    if (claimed.length === 0) break
    const outcomes = await attemptAll(ctx, endpoint, claimed)
    if (!(await ctx.transaction((tx) => saveOutcomes(ctx, tx, id, outcomes)))) break
  }
  await scheduleRest(ctx, id)
}

async function attemptAll(
  ctx: Context,
  endpoint: Endpoint,
  deliveries: readonly Delivery[],
): Promise<Outcome[]> {
  const events = await listEventsById(
    ctx.db.read,
    deliveries.flatMap(({ event_id }) => event_id ?? []),
  )
  const bodyOf = ({ event_id, type, created_at }: Delivery) => {
    const event = event_id === null ? undefined : events.get(event_id)
    return event
      ? presentEvent(event, ctx.config.publicUrl)
      : { type, timestamp: dateTime(created_at), data: {} }
  }
  return Promise.all(
    deliveries.map((delivery) => attempt(ctx, endpoint, delivery, JSON.stringify(bodyOf(delivery)))),
  )
}

async function attempt(ctx: Context, endpoint: Endpoint, delivery: Delivery, body: string): Promise<Outcome> {
  const startedAt = ctx.clock.now()
  const started = performance.now()
  const ended = (outcome: Pick<Outcome, 'status' | 'retryAfter' | 'response'>): Outcome => ({
    delivery,
    startedAt,
    duration: Math.round(performance.now() - started),
    ...outcome,
  })
  try {
    const message = { id: delivery.event_id ?? delivery.id, at: ctx.systemClock.now(), body }
    const headers = headersOf(message, secretsOf(ctx, endpoint))
    const { status, retryAfter, start } = await ctx.web.notify(
      endpoint.url,
      { method: 'POST', headers, body },
      timeout,
    )
    // PostgreSQL stores no NUL.
    const response = start.replaceAll('\0', '')
    return ended({ status, retryAfter: parseRetryAfter(retryAfter, ctx.systemClock.now()), response })
  } catch (error) {
    if (!(error instanceof WebError || error instanceof SecretError)) throw error
    return ended({ status: undefined, retryAfter: undefined, response: error.message })
  }
}

/** Stores what came of attempts. Returns whether the endpoint works. */
async function saveOutcomes(
  ctx: Context,
  tx: Transaction,
  id: string,
  outcomes: readonly Outcome[],
): Promise<boolean> {
  const endpoint = await findEndpoint(tx, id)
  if (!endpoint) return false
  const now = ctx.clock.now()
  for (const outcome of outcomes) await updateDelivery(tx, outcome.delivery.id, changeAfter(outcome, now))
  const works = outcomes.some(isSuccess)
  const failing_since = works ? null : (endpoint.failing_since ?? now)
  const isGone = outcomes.some(({ status }) => status === gone)
  const isFailing = failing_since !== null && failing_since <= now - maxFailing
  if (failing_since !== endpoint.failing_since) await updateEndpoint(tx, id, { failing_since })
  if ((isGone || isFailing) && endpoint.off_reason === null)
    await turnOff(ctx, tx, endpoint, isGone ? 'gone' : 'failing')
  return works && !isGone
}

function changeAfter(outcome: Outcome, now: number): DeliveryChange {
  const { delivery, status = null, retryAfter, response, startedAt, duration } = outcome
  const attempts = delivery.attempts + 1
  const last = { attempts, attempted_at: startedAt, status, duration, response }
  if (isSuccess(outcome)) return { ...last, state: 'delivered', due_at: null }
  const delay = delayAfter(attempts, retryAfter, Math.random())
  if (delay === undefined) return { ...last, state: 'failed', due_at: null }
  return { ...last, state: 'waiting', due_at: now + delay }
}

/** Turns an endpoint off, and tells the user who is responsible for it. */
async function turnOff(
  { jobs }: Context,
  tx: Transaction,
  { id, user_id, created_by }: Endpoint,
  off_reason: 'gone' | 'failing',
): Promise<void> {
  await updateEndpoint(tx, id, { off_reason })
  await failWaiting(tx, id)
  const user = user_id ?? created_by
  if (user !== null) await jobs.enqueue(tx, { kind: 'send-webhook-notice', payload: { user, endpoint: id } })
}

/** Enqueues the job for what is due later. */
async function scheduleRest(ctx: Context, id: string): Promise<void> {
  const due = await findNextDue(ctx.db.read, id)
  if (due === undefined) return
  await ctx.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, id)
    if (!endpoint || endpoint.off_reason !== null) return
    // What is due already waits for messages that another job sends now, or for a slot of this endpoint.
    await enqueueDelivery(ctx, tx, endpoint, Math.max(due, ctx.clock.now() + second))
  })
}
