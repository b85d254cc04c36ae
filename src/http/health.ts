import type { FastifyInstance } from 'fastify'
import type { Context } from '../operation.ts'

/** `/healthz`: the process answers. `/readyz`: it can serve, the database included; 503 otherwise. */
export function health(server: FastifyInstance, ctx: Context): void {
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async () => {
    await ctx.db.ping()
    return { status: 'ok' }
  })
}
