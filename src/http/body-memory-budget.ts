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

interface Reservation {
  bytes: number
  /** Number of reasons to keep the reservation: the open response and the running work. */
  reasons: number
}

/** @param maxBytes budget for all large bodies; at least the limit of the largest single body */
export function bodyMemoryBudget(maxBytes: number): BodyMemoryBudget {
  const bodies = new WeakMap<FastifyRequest, Reservation>()
  let reservedBytes = 0

  function release(reservation: Reservation): void {
    reservation.reasons--
    if (reservation.reasons === 0) reservedBytes -= reservation.bytes
  }

  return {
    take(request, reply, limit) {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const bytes = encoding === undefined ? Number(length ?? 0) : limit
      // A client that has disconnected sends nothing.
      if (bytes <= largeBody || reply.raw.closed) return
      if (reservedBytes + bytes > maxBytes) fail('SERVER_BUSY')
      const reservation: Reservation = { bytes, reasons: 1 }
      reservedBytes += bytes
      bodies.set(request, reservation)
      reply.raw.once('close', () => release(reservation))
    },
    during(request, work) {
      const reservation = bodies.get(request)
      if (reservation === undefined) return work()
      reservation.reasons++
      return work().finally(() => release(reservation))
    },
  }
}
