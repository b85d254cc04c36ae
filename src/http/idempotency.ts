import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, Failure, fail } from '../errors.ts'
import {
  deleteRequestWithoutEffect,
  findRequest,
  insertRequest,
  type RequestAttempt,
  updateRequest,
} from '../platform/idempotency/store.ts'
import type { Actor } from '../actor.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/durations.ts'

/** A stored answer: the result, or the failure. */
export type StoredAnswer =
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly json: string | null
    }
  | {
      readonly failure: {
        readonly code: ErrorCode
        readonly message: string
        readonly param?: string | undefined
      }
    }

/** Milliseconds between two reports of a running request that it runs. */
const aliveInterval = 2 * second
/** A running request without a report for this time counts as lost with its server. */
const lostAfter = 5 * aliveInterval

/**
 * Returns the idempotency key of a request. A client that got no answer can repeat a POST with the same key,
 * and the server executes it once.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 * @throws INVALID_PARAMETER
 */
export function idempotencyKeyOf({ headers, method }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (method !== 'POST' || key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = '`Idempotency-Key` is 1 to 255 visible ASCII characters.'
    fail('INVALID_PARAMETER', { param: 'Idempotency-Key', message })
  }
  return key
}

/**
 * Executes a request, unless it was executed before. Then it returns the first answer again. The first
 * transaction of the request also records that it was executed, so that no crash leads to a second execution.
 * @param secretFields the names of the secret fields of the body
 * @param execute gets a context whose transactions record the execution
 * @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENT_REQUEST_IN_PROGRESS, IDEMPOTENT_ANSWER_LOST
 */
export async function executeOnce(
  ctx: Context,
  actor: Actor,
  key: string,
  request: FastifyRequest,
  secretFields: ReadonlySet<string>,
  execute: (ctx: Context) => Promise<Exclude<StoredAnswer, { failure: unknown }>>,
): Promise<{ readonly answer: StoredAnswer; readonly isRepeated: boolean }> {
  const { access } = actor
  // Two apps of one user may choose the same key.
  const one: RequestAttempt = { user_id: actor.id, key: `${access.app ?? ''} ${key}`, attempt: ctx.newId() }
  const earlier = await claim(ctx, one, fingerprintOf(request, secretFields))
  if (earlier) return { answer: earlier, isRepeated: true }
  const recordingContext: Context = {
    ...ctx,
    // Always durable, because the record of the execution must survive a crash.
    transaction: (work) =>
      ctx.transaction(async (tx) => {
        const value = await work(tx)
        // If this attempt seemed lost, another one may have changed the data already.
        if (!(await updateRequest(tx, one, { carried_out: 1 }))) failInProgress()
        return value
      }),
  }
  const timer = setInterval(() => reportAlive(ctx, one), aliveInterval)
  try {
    const answer = await execute(recordingContext)
    await storeAnswer(ctx, one, answer)
    return { answer, isRepeated: false }
  } catch (error) {
    if (error instanceof Failure && finalStatuses.has(error.status)) {
      const { code, message, param } = error
      await storeAnswer(ctx, one, { failure: { code, message, param } })
    } else {
      await ctx.transaction((tx) => deleteRequestWithoutEffect(tx, one)).catch(() => {})
    }
    throw error
  } finally {
    clearInterval(timer)
  }
}

function reportAlive(ctx: Context, one: RequestAttempt): void {
  ctx
    .transaction((tx) => updateRequest(tx, one, { alive_at: ctx.clock.now() }), { durable: false })
    // The database does not respond. The next report may succeed.
    .catch(() => {})
}

/**
 * Statuses of failures that a repeated request would have again, because they depend on the request alone. Rights, quotas
 * and objects may change.
 */
const finalStatuses = new Set([400, 413, 415, 422])

/** Records that a request is running, or returns the stored answer. */
async function claim(ctx: Context, one: RequestAttempt, request: string): Promise<StoredAnswer | undefined> {
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const known = await findRequest(tx, one)
    if (!known) {
      const isFirst = await insertRequest(tx, {
        ...one,
        request,
        carried_out: 0,
        answer: null,
        alive_at: now,
        created_at: now,
      })
      return isFirst ? undefined : failInProgress()
    }
    if (known.request !== request) fail('IDEMPOTENCY_KEY_REUSED', { param: 'Idempotency-Key' })
    if (known.answer !== null) return JSON.parse(known.answer) as StoredAnswer
    if (known.alive_at + lostAfter > now) failInProgress()
    if (known.carried_out) fail('IDEMPOTENT_ANSWER_LOST', { param: 'Idempotency-Key' })
    const isTakenOver = await updateRequest(tx, known, { attempt: one.attempt, alive_at: now })
    return isTakenOver ? undefined : failInProgress()
  })
}

const failInProgress = () => fail('IDEMPOTENT_REQUEST_IN_PROGRESS', { param: 'Idempotency-Key' })

/** Stores an answer. If that fails, the current client still gets the answer. */
async function storeAnswer(ctx: Context, one: RequestAttempt, answer: StoredAnswer): Promise<void> {
  try {
    await ctx.transaction((tx) => updateRequest(tx, one, { answer: JSON.stringify(answer) }))
  } catch (err) {
    ctx.log.warn({ err }, 'the answer to a request cannot be kept')
  }
}

/**
 * Returns a hash of the address and body of a request. Passwords and codes are left out, because they could be guessed from
 * a fast hash. A sharing key in the address is too long for that.
 * @param secretFields the names of the secret fields of the body
 */
const fingerprintOf = ({ url, body }: FastifyRequest, secretFields: ReadonlySet<string>): string =>
  hash(
    'sha256',
    JSON.stringify([url, body], (name, value) => (secretFields.has(name) ? '' : value)),
    'base64url',
  )

/** Sets the status and headers of a stored answer. Returns the content for Fastify to send. */
export function storedContent(
  reply: FastifyReply,
  answer: StoredAnswer,
  isRepeated: boolean,
): string | undefined {
  if (isRepeated) reply.header('Idempotent-Replayed', 'true')
  if ('failure' in answer) {
    const { code, ...details } = answer.failure
    throw new Failure(code, details)
  }
  const { status, headers, json } = answer
  reply.status(status).headers(headers)
  if (json === null) return undefined
  reply.type('application/json; charset=utf-8')
  return json
}
