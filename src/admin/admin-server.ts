import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Context } from '../context.ts'
import type { MetricsRegistry } from './metrics-registry.ts'
import { openMetricsOf } from './open-metrics.ts'
import type { Readings } from './readings.ts'
import { statusOf } from './status.ts'

export interface AdminServer {
  close(): Promise<void>
}

const textType = 'text/plain; version=0.0.4; charset=utf-8'
const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/**
 * Serves `/metrics` for monitoring systems and `/status` for the command of this name, on an address of their own. They need no
 * sign-in, and contain no data of users.
 */
export async function startAdminServer(
  { config, log }: Pick<Context, 'config' | 'log'>,
  metrics: MetricsRegistry,
  read: () => Promise<Readings>,
): Promise<AdminServer> {
  async function answer(
    { method, url = '/', headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const send = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' })
      response.end(method === 'HEAD' ? undefined : body)
    }
    const path = url.split('?')[0]
    if (path !== '/metrics' && path !== '/status') return send(404, textType, 'Not found\n')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return send(405, textType, 'Method not allowed\n')
    }
    const readings = await read()
    if (path === '/status') {
      const status = statusOf(await metrics.samples(readings), process.uptime())
      return send(200, 'application/json; charset=utf-8', JSON.stringify(status))
    }
    const text = await metrics.text(readings)
    if (/application\/openmetrics-text/.test(headers.accept ?? ''))
      send(200, openMetricsType, openMetricsOf(text))
    else send(200, textType, text)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      log.error({ err: error }, 'the metrics cannot be sent')
      response.destroy()
    })
  })
  server.listen(config.adminPort, config.adminHost)
  await once(server, 'listening')
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      metrics.close()
    },
  }
}
