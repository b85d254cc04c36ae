import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const lookMilliseconds = 50

/** The connections of a server on which the client has not sent a byte yet. */
const unusedConnections = new WeakMap<FastifyInstance, Set<Socket>>()

/**
 * Keeps account of connections without a request. Clients open them in advance. Node does not count them as idle, so they would
 * delay the stop of the server.
 */
export function watchUnusedConnections(server: FastifyInstance): void {
  const unused = new Set<Socket>()
  unusedConnections.set(server, unused)
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', ({ socket }) => unused.delete(socket))
}

/**
 * Accepts no more connections, serves the running requests, and resolves when the last connection is closed.
 * Idle keep-alive connections are closed as well.
 * @param graceMilliseconds after this time, all connections are closed
 */
export async function stopServer(server: FastifyInstance, graceMilliseconds = 8000): Promise<void> {
  const deadline = performance.now() + graceMilliseconds
  const timer = setInterval(() => {
    if (performance.now() < deadline) {
      server.server.closeIdleConnections()
      for (const socket of unusedConnections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
    } else server.server.closeAllConnections()
  }, lookMilliseconds)
  try {
    await server.close()
  } finally {
    clearInterval(timer)
  }
}
