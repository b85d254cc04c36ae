import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const stallMilliseconds = 10_000
const leastBytesPerSecond = 1024

interface BodyProgress {
  request: IncomingMessage
  began: number
  bytesAtBegin: number
  lastBytes: number
  lastProgress: number
}

/**
 * Closes connections whose body does not arrive: no byte for 10 seconds, or less than 1 KiB per second after
 * the first 10. The time while the server does not read the body does not count. A time limit for the whole request would also
 * end uploads over slow lines.
 */
export function closeSlowBodies(server: FastifyInstance, now: () => number = Date.now): void {
  const pendingBodies = new Map<object, BodyProgress>()

  server.addHook('onRequest', (request, _reply, done) => {
    const { headers, raw } = request
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
      const { socket } = raw
      const time = now()
      const bytes = socket.bytesRead
      pendingBodies.set(raw, {
        request: raw,
        began: time,
        bytesAtBegin: bytes,
        lastBytes: bytes,
        lastProgress: time,
      })
      raw.once('close', () => pendingBodies.delete(raw))
    }
    done()
  })
  server.addHook('preValidation', (request, _reply, done) => {
    pendingBodies.delete(request.raw)
    done()
  })

  const timer = setInterval(() => {
    const time = now()
    for (const arrival of pendingBodies.values()) {
      const { request, began, bytesAtBegin } = arrival
      const { socket } = request
      // It waits to be handled.
      if (request.complete) continue
      if (request.readableFlowing === null) {
        // It waits to be read.
        Object.assign(arrival, { began: time, bytesAtBegin: socket.bytesRead, lastProgress: time })
        continue
      }
      if (socket.bytesRead > arrival.lastBytes) {
        arrival.lastBytes = socket.bytesRead
        arrival.lastProgress = time
      }
      const elapsed = time - began
      const tooSlow =
        elapsed > stallMilliseconds &&
        (socket.bytesRead - bytesAtBegin) * 1000 < leastBytesPerSecond * elapsed
      if (tooSlow || time - arrival.lastProgress > stallMilliseconds) socket.destroy()
    }
  }, 1000)
  timer.unref()
  server.addHook('onClose', async () => clearInterval(timer))
}
