import type { FastifyInstance } from 'fastify'

const lookMilliseconds = 50

/**
 * Accepts no more connections, serves the running requests, and resolves when the last connection is closed.
 * Idle keep-alive connections are closed as well.
 * @param graceMilliseconds after this time, all connections are closed
 */
export async function stopServer(server: FastifyInstance, graceMilliseconds = 8000): Promise<void> {
  const deadline = performance.now() + graceMilliseconds
  const timer = setInterval(() => {
    if (performance.now() < deadline) server.server.closeIdleConnections()
    else server.server.closeAllConnections()
  }, lookMilliseconds)
  try {
    await server.close()
  } finally {
    clearInterval(timer)
  }
}
