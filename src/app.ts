import { type AdminServer, startAdminServer } from './admin/admin-server.ts'
import { readingsOf } from './admin/readings.ts'
import { authenticator } from './auth/authenticate.ts'
import { authorizationServer } from './auth/oauth-server/authorization-server.ts'
import { profilePictures } from './web-app/profile-pictures.ts'
import { calendarFeeds } from './web-app/calendar-feeds.ts'
import { soundFiles } from './web-app/sound-files.ts'
import { browserApp } from './web-app/browser-app.ts'
import type { Config } from './config.ts'
import { type AppContext, createContext, type Dependencies } from './create-context.ts'
import { createServer, type Mount } from './http/server.ts'
import { stopServer } from './http/stop-server.ts'
import { handlers } from './jobs.ts'
import { slotsOf } from './platform/queue/lanes.ts'
import { jobWorker, type Worker } from './platform/queue/worker.ts'
import { internalOperations, operations } from './operations.ts'

const mounts: readonly Mount[] = [profilePictures, soundFiles, calendarFeeds, authorizationServer, browserApp]

export interface App {
  readonly ctx: AppContext
  readonly server: Awaited<ReturnType<typeof createServer>>
  readonly worker: Worker
  /** Finishes the requests in progress, returns running jobs to the queue, and closes everything. */
  stop(): Promise<void>
}

/** Starts the server, the worker, or both, as the setting ROLE says. */
export async function startApp(config: Config, dependencies: Dependencies = {}): Promise<App> {
  const metrics = config.adminPort === undefined ? undefined : await createMetrics()
  const ctx = await createContext(config, { ...dependencies, ...(metrics && { metrics }) })
  const { log } = ctx
  const worker = jobWorker(ctx, handlers, { slots: slotsOf(config.jobConcurrency) })
  const all = [...Object.values(operations), ...Object.values(internalOperations)]
  const server = await createServer(ctx, all, {
    authenticate: authenticator(ctx),
    mounts,
  })
  let admin: AdminServer | undefined
  try {
    if (metrics) admin = await startAdminServer(ctx, metrics, readingsOf(ctx, worker))
    if (config.shippedContent) {
      await ctx.transaction((tx) => ctx.jobs.enqueue(tx, { kind: 'ship-content', payload: {}, key: 'start' }))
    }
    if (config.role !== 'worker') await server.listen({ host: config.host, port: config.port })
    if (config.role !== 'api') await worker.start()
  } catch (error) {
    await Promise.allSettled([admin?.close(), server.close(), worker.stop(), ctx.close()])
    throw error
  }
  if (config.prewarmEngines)
    Promise.all([ctx.notation.warm(), ctx.sounds.warm()]).catch((error) =>
      log.warn({ err: error }, 'engines did not start'),
    )
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
      // They would stay open until the grace of the server ends.
      ctx.changeFeed.close()
      await Promise.all([stopServer(server), worker.stop()])
      await admin?.close()
      await ctx.close()
      log.info('stopped')
    },
  }
}

/** The library of metrics is loaded only if they are read. */
async function createMetrics() {
  const { createMetricsRegistry } = await import('./admin/metrics-registry.ts')
  return createMetricsRegistry()
}
