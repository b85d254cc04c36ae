import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../errors.ts'
import type { BodyTurn, BodyTurns } from './body-turns.ts'
import { disconnectSignal } from './request-facts.ts'

/** Bodies that are declared with at most this number of bytes are not counted. */
const smallBody = 64 * 1024
/** The largest part of the budget that one caller can use. */
const maxShare = 1 / 4

/**
 * Limits how many bytes of request bodies are in memory at the same time. A body counts with the bytes that have arrived, until
 * its request is done. So a slow client uses only what it has sent.
 *
 * Only bodies that are arriving can be refused. A complete body is therefore accepted only if its caller then holds at most what
 * complete bodies leave free, so that they never use up the budget and there is room for another caller.
 */
export interface BodyMemoryBudget {
  /**
   * Returns the body of a request as a stream that counts its bytes, when it is its turn (`body-turns.ts`). The caller must start
   * to read it in the same microtask.
   * @throws SERVER_BUSY if the body exceeds the share of its caller, before it is read if its declared length does; if the budget
   * is used up, in the stream of the caller with the most bytes. CLIENT_DISCONNECTED
   */
  receive(arrival: Arrival): Promise<Readable>
  /**
   * Handles a request with its body. The body counts until the work is done, even if the client has disconnected.
   */
  during<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result>
}

/** The body of a request that has not been read. */
interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly payload: Readable
  /** The account, or the network of an anonymous client. */
  readonly caller: string
  /** The maximum length of this body. */
  readonly limit: number
}

interface Body {
  readonly caller: string
  readonly limit: number
  bytes: number
  /** Number of reasons to count the body: the open response and the running work. */
  reasons: number
  refuse(): void
  endTurn(): void
}

/** @param maxBytes budget for all bodies; at least the limit of the largest single body */
export function bodyMemoryBudget(maxBytes: number, turns: BodyTurns): BodyMemoryBudget {
  const bodies = new WeakMap<FastifyRequest, Body>()
  const bytesOf = new Map<string, number>()
  /** The bodies that have not arrived completely. Only these can be refused. */
  const arriving = new Set<Body>()
  let total = 0
  /** The part of `total` that has arrived completely. */
  let complete = 0

  function add(body: Body, bytes: number): void {
    body.bytes += bytes
    total += bytes
    const all = heldBy(body.caller) + bytes
    if (all === 0) bytesOf.delete(body.caller)
    else bytesOf.set(body.caller, all)
  }
  const heldBy = (caller: string) => bytesOf.get(caller) ?? 0

  function release(body: Body): void {
    body.reasons--
    if (body.reasons > 0) return
    if (!arriving.delete(body)) complete -= body.bytes
    add(body, -body.bytes)
    body.endTurn()
  }

  /**
   * Returns how many bytes a caller may hold when a body of this length is complete. If no other body is complete, that is enough
   * for a body of the maximum length.
   */
  function maxHeld(length: number, limit: number): number {
    const share = Math.max(maxBytes * maxShare, limit)
    return complete === 0 ? share : Math.min(share, maxBytes - complete - length)
  }

  function refuse(body: Body): void {
    arriving.delete(body)
    add(body, -body.bytes)
    body.refuse()
  }

  /** Counts bytes of an arriving body, if it is not refused. */
  function accept(body: Body, bytes: number): boolean {
    if (heldBy(body.caller) + bytes > maxHeld(body.bytes + bytes, body.limit)) refuse(body)
    while (arriving.has(body) && total + bytes > maxBytes) refuse(largestOfLargestCaller(body))
    if (!arriving.has(body)) return false
    add(body, bytes)
    return true
  }

  function largestOfLargestCaller(latest: Body): Body {
    let largest = latest
    for (const body of arriving) {
      const difference = heldBy(body.caller) - heldBy(largest.caller) || body.bytes - largest.bytes
      if (difference > 0) largest = body
    }
    return largest
  }

  /** Passes on a body and counts its bytes until the request is done. */
  function counted({ request, reply, payload, caller, limit }: Arrival, turn: BodyTurn): Readable {
    const stream = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        // Fastify refuses a body above its limit.
        const isTooLong = body.bytes + chunk.length > limit
        if (isTooLong || accept(body, chunk.length)) done(null, chunk)
      },
      flush(done) {
        // Other bodies may have become complete since the last bytes.
        if (!accept(body, 0)) return
        arriving.delete(body)
        complete += body.bytes
        turn.arrived().then(() => done(), done)
      },
    })
    const body: Body = {
      caller,
      limit,
      bytes: 0,
      reasons: 1,
      refuse: () => stream.destroy(new Failure('SERVER_BUSY')),
      endTurn: turn.end,
    }
    arriving.add(body)
    bodies.set(request, body)
    reply.raw.once('close', () => {
      release(body)
      // The rest of a refused body is discarded.
      payload.unpipe(stream).resume()
    })
    payload.once('error', (error) => stream.destroy(error))
    // Fastify stops listening when it refuses a body itself.
    stream.on('error', () => {})
    return payload.pipe(stream)
  }

  return {
    async receive(arrival) {
      const { request, reply, payload, caller, limit } = arrival
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const declared = encoding === undefined ? Number(length ?? 0) : undefined
      // A client that has disconnected sends nothing.
      if ((declared !== undefined && declared <= smallBody) || reply.raw.closed) return payload
      const turn = await turns.start({ caller, signal: disconnectSignal(reply) })
      if (heldBy(caller) + (declared ?? 0) <= maxHeld(declared ?? 0, limit)) return counted(arrival, turn)
      turn.end()
      throw new Failure('SERVER_BUSY')
    },
    during(request, work) {
      const body = bodies.get(request)
      if (body === undefined) return work()
      body.reasons++
      return work().finally(() => release(body))
    },
  }
}
