import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const stallMilliseconds = 10_000
const leastBytesPerSecond = 1024

/**
 * The number of bytes of a body that the server still reads after it has answered. A client that sends its whole body before it
 * reads can then read the answer. The connection is closed after more bytes.
 */
export const maxBytesToDrain = 256 * 1024 * 1024

interface BodyProgress {
  request: IncomingMessage
  began: number
  bytesAtBegin: number
  lastBytes: number
  lastProgress: number
  /** The bytes that had arrived on the connection when the request was answered. Undefined before that. */
  bytesAtAnswer?: number
}

/**
 * Closes connections whose body does not arrive: no byte for 10 seconds, or less than 1 KiB per second after
 * the first 10. The time while the server does not read the body does not count. A time limit for the whole request would also
 * end uploads over slow lines.
 *
 * If the server answers before the body has arrived, it reads the rest, up to `maxBytesToDrain`, before it closes the connection.
 */
export function closeSlowBodies(server: FastifyInstance, now: () => number = Date.now): void {
  const pendingBodies = new Map<object, BodyProgress>()

  server.addHook('onRequest', (request, reply, done) => {
    const { headers, raw } = request
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
      const { socket } = raw
      const time = now()
      const bytes = socket.bytesRead
      const arrival: BodyProgress = {
        request: raw,
        began: time,
        bytesAtBegin: bytes,
        lastBytes: bytes,
        lastProgress: time,
      }
      pendingBodies.set(raw, arrival)
      raw.once('close', () => pendingBodies.delete(raw))
      reply.raw.once('finish', () => {
        arrival.bytesAtAnswer = socket.bytesRead
      })
      closeAfterBody(raw)
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
      const drained = socket.bytesRead - (arrival.bytesAtAnswer ?? socket.bytesRead)
      const isStalled = time - arrival.lastProgress > stallMilliseconds
      if (isStalled || tooSlow || drained > maxBytesToDrain) socket.destroy()
    }
  }, 1000)
  timer.unref()
  server.addHook('onClose', async () => clearInterval(timer))
}

/**
 * Keeps a connection open until the body has arrived, although it closes after its answer. Node would close it at once. If a
 * server closes a connection with unread bytes, the operating system of the client discards the answer before the client reads it.
 */
function closeAfterBody(request: IncomingMessage): void {
  const { socket } = request
  socket.destroySoon = () => {
    // From now on it is the method of the class again.
    Reflect.deleteProperty(socket, 'destroySoon')
    if (request.complete) return socket.destroySoon()
    socket.end()
    request.once('close', () => socket.destroySoon())
  }
}
