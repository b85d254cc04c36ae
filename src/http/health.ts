import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import type { Context } from '../operation.ts'

/** Who asks whether we can serve wants to know soon, also where the network swallows the question; in milliseconds. */
const patience = 3000

/**
 * `/healthz`: the process answers. `/readyz`: it can serve, reads at least; 503 otherwise. A database that takes no
 * writes for a while, full or locked, is no reason to keep readers away.
 */
export function health(server: FastifyInstance, ctx: Context): void {
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async () => {
    await Promise.race([ctx.db.ping(), silence()])
    return { status: 'ok' }
  })
}

async function silence(): Promise<never> {
  await delay(patience, undefined, { ref: false })
  fail('DATABASE_UNAVAILABLE', { cause: new Error(`The database did not answer within ${patience} ms`) })
}
