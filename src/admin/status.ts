import { lanes } from '../platform/queue/lanes.ts'
import type { Sample } from './metrics-registry.ts'

/** A summary of the metrics for people. Counts are since the start of the process. A value that may be unknown is typed as nullable. */
export interface Status {
  readonly role: string
  readonly uptimeSeconds: number
  readonly memoryBytes: number
  readonly eventLoopDelayMilliseconds: { readonly median: number; readonly p99: number }
  /** Numbers of requests, by the first digit of the status. */
  readonly requests: Readonly<Record<'1xx' | '2xx' | '3xx' | '4xx' | '5xx', number>>
  readonly errors: Readonly<Record<string, number>>
  readonly failedSignIns: number
  readonly jobs: Readonly<Record<string, JobsStatus>>
  readonly engines: Readonly<Record<string, EnginesStatus>>
  readonly database: DatabaseStatus
  readonly storage: StorageStatus
}

interface JobsStatus {
  readonly waiting: number | null
  readonly running: number
  readonly oldestSeconds: number | null
}

interface EnginesStatus {
  readonly busy: number
  readonly idle: number
  readonly max: number
  readonly waiting: number
}

interface DatabaseStatus {
  readonly kind: string
  readonly isUp: boolean
  readonly busyConnections: number
  readonly idleConnections: number
  readonly pendingReads: number
  readonly waitingTransactions: number
  /** The mean number of transactions that shared a commit. */
  readonly transactionsPerGroup: number | null
}

interface StorageStatus {
  readonly blobBytes: number | null
  readonly diskFreeBytes: number | null
  readonly diskSizeBytes: number | null
}

/** The seconds between two measurements of the event-loop delay. Node's delay includes this interval. */
const samplingInterval = 0.01

/** @param uptime seconds since the start of the process */
export function statusOf(samples: readonly Sample[], uptime: number): Status {
  const all = (name: string) => samples.filter((sample) => sample.name === name)
  const find = (name: string, labels: Record<string, string> = {}): number | null =>
    all(name).find((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )?.value ?? null
  const read = (name: string, labels?: Record<string, string>): number => find(name, labels) ?? 0
  const info = all('partita_info')[0]?.labels
  const delayOf = (name: string) => Math.round(Math.max(0, read(name) - samplingInterval) * 10_000) / 10
  const groups = read('partita_database_group_transactions_count')

  const requests = { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  for (const { labels, value } of all('partita_requests_total'))
    requests[`${String(labels.status)[0]}xx` as keyof typeof requests] += value
  const jobsOf = (lane: string): JobsStatus => ({
    waiting: find('partita_jobs_waiting', { lane }),
    running: read('partita_jobs_running', { lane }),
    oldestSeconds: find('partita_jobs_oldest_age_seconds', { lane }),
  })
  const enginesOf = (kind: string): EnginesStatus => ({
    busy: read('partita_engines', { kind, state: 'busy' }),
    idle: read('partita_engines', { kind, state: 'idle' }),
    max: read('partita_engines_max', { kind }),
    waiting: read('partita_engine_queue_length', { kind }),
  })

  return {
    role: info?.role ?? '',
    uptimeSeconds: Math.round(uptime),
    memoryBytes: read('process_resident_memory_bytes'),
    eventLoopDelayMilliseconds: {
      median: delayOf('nodejs_eventloop_lag_p50_seconds'),
      p99: delayOf('nodejs_eventloop_lag_p99_seconds'),
    },
    requests,
    errors: Object.fromEntries(all('partita_errors_total').map(({ labels, value }) => [labels.code, value])),
    failedSignIns: all('partita_failed_sign_ins_total').reduce((sum, { value }) => sum + value, 0),
    jobs: Object.fromEntries(lanes.map((lane) => [lane, jobsOf(lane)])),
    engines: Object.fromEntries(
      all('partita_engines_max').map(({ labels: { kind = '' } }) => [kind, enginesOf(kind)]),
    ),
    database: {
      kind: info?.database ?? '',
      isUp: read('partita_database_up') === 1,
      busyConnections: read('partita_database_connections', { state: 'busy' }),
      idleConnections: read('partita_database_connections', { state: 'idle' }),
      pendingReads: read('partita_database_pending_reads'),
      waitingTransactions: read('partita_database_waiting_transactions'),
      transactionsPerGroup:
        groups === 0
          ? null
          : Math.round((10 * read('partita_database_group_transactions_sum')) / groups) / 10,
    },
    storage: {
      blobBytes: find('partita_blob_bytes'),
      diskFreeBytes: find('partita_disk_free_bytes'),
      diskSizeBytes: find('partita_disk_size_bytes'),
    },
  }
}
