import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { fail } from '../errors.ts'
import type { Context } from '../context.ts'

/** Milliseconds after which `/readyz` answers, even if the database does not respond. */
const timeoutMilliseconds = 3000

/**
 * `/healthz` answers while the process runs. `/readyz` answers 503 if the server cannot serve reads. A
 * database that takes no writes for a while, because it is full or locked, does not count as unavailable.
 */
export function health(server: FastifyInstance, ctx: Context): void {
  server.get('/healthz', async () => ({ status: 'ok' }))
  server.get('/readyz', async () => {
    await Promise.race([ctx.db.ping(), timeout()])
    return { status: 'ok' }
  })
}

async function timeout(): Promise<never> {
  await delay(timeoutMilliseconds, undefined, { ref: false })
  fail('DATABASE_UNAVAILABLE', {
    cause: new Error(`The database did not answer within ${timeoutMilliseconds} ms`),
  })
}
