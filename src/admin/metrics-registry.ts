import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics } from '../lib/metrics.ts'
import type { Readings } from './readings.ts'
import { requestCounts } from './request-counts.ts'

/** The value of one time series. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The metrics of a process: those that are counted while it works, and readings at the time of a request. */
export interface MetricsRegistry extends Metrics {
  /** Returns all metrics in the text format of Prometheus. */
  text(readings: Readings): Promise<string>
  samples(readings: Readings): Promise<Sample[]>
  /** Forgets the metrics. */
  close(): void
}

/** The largest groups of PostgreSQL and SQLite have 60 and 500 transactions. */
const groupBuckets = [1, 2, 5, 10, 20, 60, 200, 500]

/** Metrics of prom-client whose names break the rules of OpenMetrics: only counters end with `_total`. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers })

  const requests = requestCounts(registry)
  const errors = new Counter({
    name: 'partita_errors_total',
    help: 'Error responses by code, among them those of quotas and limits.',
    labelNames: ['code'],
    registers,
  })
  const failedSignIns = new Counter({
    name: 'partita_failed_sign_ins_total',
    help: 'Wrong passwords, second factors and passkeys.',
    labelNames: ['step'],
    registers,
  })
  const groups = new Histogram({
    name: 'partita_database_group_transactions',
    help: 'Transactions that shared one commit.',
    buckets: groupBuckets,
    registers,
  })
  const info = gauge('partita_info', 'The role of the process and its database.', 'role', 'database')
  const jobsWaiting = gauge(
    'partita_jobs_waiting',
    'Jobs of all processes that are due and not running.',
    'lane',
  )
  const jobsRunning = gauge('partita_jobs_running', 'Jobs that this process runs.', 'lane')
  const oldestJob = gauge(
    'partita_jobs_oldest_age_seconds',
    'How long the oldest waiting job is due.',
    'lane',
  )
  const engines = gauge('partita_engines', 'Running engines and threads.', 'kind', 'state')
  const maxEngines = gauge(
    'partita_engines_max',
    'The maximum number of running engines and threads.',
    'kind',
  )
  const engineQueue = gauge('partita_engine_queue_length', 'Work that waits for an engine or thread.', 'kind')
  const databaseUp = gauge('partita_database_up', 'Whether the database answers: 1 or 0.')
  const connections = gauge('partita_database_connections', 'Open connections to the database.', 'state')
  const pendingReads = gauge('partita_database_pending_reads', 'Reads that the database has not answered.')
  const waitingTransactions = gauge(
    'partita_database_waiting_transactions',
    'Transactions that wait for a group.',
  )
  const blobBytes = gauge(
    'partita_blob_bytes',
    'Size of all stored files before compression, at most an hour old.',
  )
  const diskSize = gauge('partita_disk_size_bytes', 'Size of the disk with DATA_DIR.')
  const diskFree = gauge('partita_disk_free_bytes', 'Free space of the disk with DATA_DIR.')

  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })
  for (const name of misnamed) registry.removeSingleMetric(name)

  function update({ role, dialect, engines: pools, database, backlog, running, ...storage }: Readings): void {
    info.set({ role, database: dialect }, 1)
    for (const [lane, count] of Object.entries(running)) jobsRunning.set({ lane }, count)
    jobsWaiting.reset()
    oldestJob.reset()
    for (const [lane, { waiting, oldestAge }] of Object.entries(backlog ?? {})) {
      jobsWaiting.set({ lane }, waiting)
      oldestJob.set({ lane }, oldestAge / 1000)
    }
    for (const [kind, { size, started, busy, waiting }] of Object.entries(pools)) {
      engines.set({ kind, state: 'busy' }, busy)
      engines.set({ kind, state: 'idle' }, started - busy)
      maxEngines.set({ kind }, size)
      engineQueue.set({ kind }, waiting)
    }
    databaseUp.set(backlog ? 1 : 0)
    connections.set({ state: 'busy' }, database.connections.busy)
    connections.set({ state: 'idle' }, database.connections.open - database.connections.busy)
    pendingReads.set(database.pendingReads)
    waitingTransactions.set(database.waitingTransactions)
    setOrRemove(blobBytes, storage.blobBytes)
    setOrRemove(diskSize, storage.disk?.size)
    setOrRemove(diskFree, storage.disk?.free)
  }

  return {
    countRequest: requests.count,
    countError: (code) => errors.inc({ code }),
    countFailedSignIn: (step) => failedSignIns.inc({ step }),
    countGroup: (transactions) => groups.observe(transactions),
    text(readings) {
      update(readings)
      return registry.metrics()
    },
    async samples(readings) {
      update(readings)
      const metrics = await registry.getMetricsAsJSON()
      return metrics.flatMap(({ name, values }) =>
        values.map(({ labels, value, ...rest }) => ({
          name: 'metricName' in rest && typeof rest.metricName === 'string' ? rest.metricName : name,
          labels: labels as Record<string, string>,
          value,
        })),
      )
    },
    close: () => registry.clear(),
  }
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove()
  else gauge.set(value)
}
