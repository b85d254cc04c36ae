import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../errors.ts'

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
   * Passes on the body of a request as a stream that counts its bytes. A body that exceeds the share of its caller is refused
   * with SERVER_BUSY, before it is read if its declared length does. If the budget is used up, bodies of the caller with the
   * most bytes are refused until there is room.
   * @param done is called synchronously, and must start to read the stream at once
   */
  receive(arrival: Arrival, done: (error: Failure | null, body?: Readable) => void): void
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
}

/** @param maxBytes budget for all bodies; at least the limit of the largest single body */
export function bodyMemoryBudget(maxBytes: number): BodyMemoryBudget {
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

  return {
    receive({ request, reply, payload, caller, limit }, passOn) {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const declared = encoding === undefined ? Number(length ?? 0) : undefined
      // A client that has disconnected sends nothing.
      if ((declared !== undefined && declared <= smallBody) || reply.raw.closed) return passOn(null, payload)
      if (heldBy(caller) + (declared ?? 0) > maxHeld(declared ?? 0, limit))
        return passOn(new Failure('SERVER_BUSY'))

      const counted = new Transform({
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
          done()
        },
      })
      const body: Body = {
        caller,
        limit,
        bytes: 0,
        reasons: 1,
        refuse() {
          counted.destroy(new Failure('SERVER_BUSY'))
        },
      }
      arriving.add(body)
      bodies.set(request, body)
      reply.raw.once('close', () => {
        release(body)
        // The rest of a refused body is discarded.
        payload.unpipe(counted).resume()
      })
      payload.once('error', (error) => counted.destroy(error))
      // Fastify stops listening when it refuses a body itself.
      counted.on('error', () => {})
      passOn(null, payload.pipe(counted))
    },
    during(request, work) {
      const body = bodies.get(request)
      if (body === undefined) return work()
      body.reasons++
      return work().finally(() => release(body))
    },
  }
}
