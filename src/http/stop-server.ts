import type { FastifyInstance } from 'fastify'

const lookMilliseconds = 50

/**
 * Takes no more connections, serves the requests that have begun, and resolves when the last connection is closed.
 * One that stays open behind its last answer, for a next request, is closed as well.
 * @param graceMilliseconds after which everything is cut off that is still going on
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
