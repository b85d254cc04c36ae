import type { Config } from './config.ts'
import { type AppContext, createContext, type Surroundings } from './context.ts'
import { createServer } from './http/server.ts'
import { stopServer } from './http/stop-server.ts'
import { handlers } from './jobs/registry.ts'
import { jobWorker, type Worker } from './jobs/worker.ts'
import { operations } from './operations.ts'

export interface App {
  readonly ctx: AppContext
  readonly server: Awaited<ReturnType<typeof createServer>>
  readonly worker: Worker
  /** Serves what has begun, gives back the jobs that run, and closes everything. */
  stop(): Promise<void>
}

/** Starts what the settings say: the server, the worker, or both. */
export async function startApp(config: Config, surroundings: Surroundings = {}): Promise<App> {
  const ctx = await createContext(config, surroundings)
  const { log } = ctx
  const worker = jobWorker(ctx, handlers, { concurrency: config.jobConcurrency })
  const server = await createServer(ctx, Object.values(operations))
  try {
    if (config.shippedContent) {
      await ctx.transaction((tx) => ctx.jobs.enqueue(tx, { kind: 'ship-content', payload: {}, key: 'start' }))
    }
    if (config.role !== 'worker') await server.listen({ host: config.host, port: config.port })
    if (config.role !== 'api') await worker.start()
  } catch (error) {
    await Promise.allSettled([server.close(), worker.stop(), ctx.close()])
    throw error
  }
  if (config.prewarmEngines) ctx.notation.warm().catch((error) => log.warn({ err: error }, 'engines did not start'))
  if (config.role !== 'worker' && config.publicUrl.startsWith('https:') && !config.trustProxy) {
    log.warn(
      'PUBLIC_URL is https but TRUST_PROXY is empty: all requests seem to come from the proxy, and share its limits',
    )
  }
  log.info({ role: config.role, database: ctx.db.dialect, migrations: ctx.appliedMigrations }, 'started')
  return {
    ctx,
    server,
    worker,
    async stop() {
      await Promise.all([stopServer(server), worker.stop()])
      await ctx.close()
      log.info('stopped')
    },
  }
}
