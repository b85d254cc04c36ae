import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'

/** Bodies above this number of bytes are counted. */
const largeBody = 1024 * 1024

/** Limits how many bytes of large bodies are in memory at the same time. */
export interface BodyMemoryBudget {
  /**
   * Reserves memory for a body before it is read: its declared length, or the limit if the length is unknown.
   * @throws SERVER_BUSY if the budget is used up
   */
  take(request: FastifyRequest, reply: FastifyReply, limit: number): void
  /**
   * Runs work on a body. The memory stays reserved until the work is done, even if the client has
   * disconnected.
   */
  during<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result>
}

interface Held {
  bytes: number
  /** Number of reasons to keep the reservation: the open response and the running work. */
  reasons: number
}

/** @param maxBytes budget for all large bodies; at least the limit of the largest single body */
export function bodyMemoryBudget(maxBytes: number): BodyMemoryBudget {
  const bodies = new WeakMap<FastifyRequest, Held>()
  let heldBytes = 0

  function release(held: Held): void {
    held.reasons--
    if (held.reasons === 0) heldBytes -= held.bytes
  }

  return {
    take(request, reply, limit) {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const bytes = encoding === undefined ? Number(length ?? 0) : limit
      // A client that has disconnected sends nothing.
      if (bytes <= largeBody || reply.raw.closed) return
      if (heldBytes + bytes > maxBytes) fail('SERVER_BUSY')
      const held: Held = { bytes, reasons: 1 }
      heldBytes += bytes
      bodies.set(request, held)
      reply.raw.once('close', () => release(held))
    },
    during(request, work) {
      const held = bodies.get(request)
      if (held === undefined) return work()
      held.reasons++
      return work().finally(() => release(held))
    },
  }
}
