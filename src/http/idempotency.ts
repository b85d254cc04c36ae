import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, Failure, fail } from '../errors.ts'
import {
  deleteRequestWithoutEffect,
  findRequest,
  insertRequest,
  type RequestKey,
  updateRequest,
} from '../features/idempotency/store.ts'
import type { Actor, Context } from '../operation.ts'

/** An answer as it is kept: what was done, or why nothing was. */
export type KeptAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly json: string | null }
  | { readonly failure: { readonly code: ErrorCode; readonly message: string; readonly param?: string | undefined } }

/** How long a request may take, in milliseconds, before it is taken for one that its server has not survived. */
const longest = 300_000

/**
 * The header by which a client that has heard no answer can send a request again, and it is carried out once.
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
 * Carries a request out unless that was done before, and gives the first answer again. With its first change the
 * database notes that it was carried out: whatever becomes of the server, no request is carried out twice.
 * @param carryOut with a context whose transactions note it
 * @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENT_REQUEST_IN_PROGRESS, IDEMPOTENT_ANSWER_LOST
 */
export async function once(
  ctx: Context,
  actor: Actor,
  key: string,
  request: FastifyRequest,
  carryOut: (ctx: Context) => Promise<Exclude<KeptAnswer, { failure: unknown }>>,
): Promise<{ readonly answer: KeptAnswer; readonly isRepeated: boolean }> {
  const one: RequestKey = { user_id: actor.id, key }
  const earlier = await claim(ctx, one, fingerprintOf(request))
  if (earlier) return { answer: earlier, isRepeated: true }
  const noting: Context = {
    ...ctx,
    // Durable whatever the operation asks: that it was carried out must not be forgotten.
    transaction: (work) =>
      ctx.transaction(async (tx) => {
        const value = await work(tx)
        await updateRequest(tx, one, { carried_out: 1 })
        return value
      }),
  }
  try {
    const answer = await carryOut(noting)
    await keep(ctx, one, answer)
    return { answer, isRepeated: false }
  } catch (error) {
    if (error instanceof Failure && isFinal(error)) {
      const { code, message, param } = error
      await keep(ctx, one, { failure: { code, message, param } })
    } else {
      await ctx.transaction((tx) => deleteRequestWithoutEffect(tx, one)).catch(() => {})
    }
    throw error
  }
}

/** What the same request is answered today and tomorrow; rights and servers change. */
const isFinal = ({ status }: Failure) => status < 500 && status !== 401 && status !== 403

/** Notes that a request is under way, or finds what was answered to it. */
async function claim(ctx: Context, one: RequestKey, request: string): Promise<KeptAnswer | undefined> {
  return ctx.transaction(async (tx) => {
    const now = ctx.clock.now()
    const known = await findRequest(tx, one)
    if (!known) {
      const isFirst = await insertRequest(tx, { ...one, request, carried_out: 0, answer: null, created_at: now })
      return isFirst ? undefined : failInProgress()
    }
    if (known.request !== request) fail('IDEMPOTENCY_KEY_REUSED', { param: 'Idempotency-Key' })
    if (known.answer !== null) return JSON.parse(known.answer) as KeptAnswer
    if (known.created_at + longest > now) failInProgress()
    if (known.carried_out) fail('IDEMPOTENT_ANSWER_LOST', { param: 'Idempotency-Key' })
    await updateRequest(tx, one, { created_at: now })
    return undefined
  })
}

const failInProgress = () => fail('IDEMPOTENT_REQUEST_IN_PROGRESS', { param: 'Idempotency-Key' })

/** What was done stays done where its answer cannot be kept: the one who waits gets it all the same. */
async function keep(ctx: Context, one: RequestKey, answer: KeptAnswer): Promise<void> {
  try {
    await ctx.transaction((tx) => updateRequest(tx, one, { answer: JSON.stringify(answer) }))
  } catch (err) {
    ctx.log.warn({ err }, 'the answer to a request cannot be kept')
  }
}

/** The address and the body of a request as a hash: without passwords, of which nothing quickly made may be kept. */
const fingerprintOf = ({ url, body }: FastifyRequest): string =>
  hash(
    'sha256',
    JSON.stringify([url, body], (name, value) => (name === 'password' ? '' : value)),
    'base64url',
  )

/** Sends an answer that was kept, or is. */
export function sendKept(reply: FastifyReply, answer: KeptAnswer, isRepeated: boolean): FastifyReply {
  if (isRepeated) reply.header('Idempotent-Replayed', 'true')
  if ('failure' in answer) {
    const { code, ...details } = answer.failure
    throw new Failure(code, details)
  }
  const { status, headers, json } = answer
  reply.status(status).headers(headers)
  return json === null ? reply.send() : reply.type('application/json; charset=utf-8').send(json)
}
