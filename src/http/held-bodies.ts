import type { FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'

/** Bodies of more bytes than this are counted. */
const largeBody = 1024 * 1024

/** Bounds how many bytes of large bodies are held at the same time. */
export interface HeldBodies {
  /**
   * Counts a body before it is read, by what it says of its length, or else by what it may have at most.
   * @throws SERVER_BUSY where there is no room for it
   */
  take(request: FastifyRequest, reply: FastifyReply, limit: number): void
  /** Does what is to be done with a body, which is held for as long, even where its sender has gone away. */
  during<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result>
}

interface Held {
  bytes: number
  /** The response that is not yet closed, and the work that is not yet done. */
  reasons: number
}

/** @param mostBytes of large bodies together; at least as many as the largest single one may have */
export function heldBodies(mostBytes: number): HeldBodies {
  const bodies = new WeakMap<FastifyRequest, Held>()
  let heldBytes = 0

  function letGo(held: Held): void {
    held.reasons--
    if (held.reasons === 0) heldBytes -= held.bytes
  }

  return {
    take(request, reply, limit) {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      const bytes = encoding === undefined ? Number(length ?? 0) : limit
      // Who has gone already sends nothing.
      if (bytes <= largeBody || reply.raw.closed) return
      if (heldBytes + bytes > mostBytes) fail('SERVER_BUSY')
      const held: Held = { bytes, reasons: 1 }
      heldBytes += bytes
      bodies.set(request, held)
      reply.raw.once('close', () => letGo(held))
    },
    during(request, work) {
      const held = bodies.get(request)
      if (held === undefined) return work()
      held.reasons++
      return work().finally(() => letGo(held))
    },
  }
}
