import { Counter, type Metric, type MetricValueWithName, type Registry } from 'prom-client'

/**
 * Upper bounds in seconds. Most answers come from the database; some come from an engine, which has a limit of 10 to 60 seconds.
 */
const bounds = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60]

const durationName = 'partita_request_duration_seconds'
const durationHelp = 'Time from the headers of a request to the end of its response.'

interface Counted {
  readonly byStatus: Map<number, number>
  /** The number of requests up to each bound and above the one before; the last are above all bounds. */
  readonly byDuration: number[]
  seconds: number
}

/**
 * Counts requests in arrays, and converts them when the metrics are read. Counting with the classes of the library takes about
 * one percent of the time of a short request.
 */
export function requestCounts(registry: Registry) {
  const byOperation = new Map<string, Counted>()
  new Counter({
    name: 'partita_requests_total',
    help: 'Requests by operation and status. The operation is "page" for pages, files and probes, and "unknown" for unknown addresses.',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { byStatus }] of byOperation)
        for (const [status, count] of byStatus) this.inc({ operation, status }, count)
    },
  })
  const durations = {
    name: durationName,
    help: durationHelp,
    get: async () => ({
      name: durationName,
      help: durationHelp,
      type: 'histogram',
      aggregator: 'sum',
      values: [...byOperation].flatMap(([operation, counted]) => valuesOf(operation, counted)),
    }),
  }
  // The registry uses only these fields.
  registry.registerMetric(durations as unknown as Metric)

  return {
    count(operation: string, status: number, seconds: number): void {
      let counted = byOperation.get(operation)
      if (!counted) {
        counted = { byStatus: new Map(), byDuration: Array(bounds.length + 1).fill(0), seconds: 0 }
        byOperation.set(operation, counted)
      }
      const index = bounds.findIndex((bound) => seconds <= bound)
      const bucket = index < 0 ? bounds.length : index
      counted.byDuration[bucket] = (counted.byDuration[bucket] ?? 0) + 1
      counted.byStatus.set(status, (counted.byStatus.get(status) ?? 0) + 1)
      counted.seconds += seconds
    },
  }
}

function valuesOf(operation: string, { byDuration, seconds }: Counted): MetricValueWithName<string>[] {
  const value = (part: string, value: number, labels = {}) => ({
    metricName: `${durationName}_${part}`,
    labels: { ...labels, operation },
    value,
  })
  let count = 0
  const buckets = byDuration.map((added, index) => {
    count += added
    return value('bucket', count, { le: bounds[index] ?? '+Inf' })
  })
  return [...buckets, value('sum', seconds), value('count', count)]
}
