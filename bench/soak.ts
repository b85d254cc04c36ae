import { setTimeout as delay } from 'node:timers/promises'
import { findPostgres } from '../test/support/postgres-server.ts'
import { freePort } from '../test/support/program.ts'
import { musicXml } from '../test/support/scores.ts'
import { type Load, measureLoad, numberPlace } from './load.ts'
import { startPartita } from './servers.ts'

/** Seconds between two readings. */
const interval = 30
/** Seconds of warm-up, whose readings do not count for the slope. */
const warmUp = 60
/** The highest slope of the resident memory, in MB per minute. */
const limit = 1

const gauges = {
  'RSS MB': 'process_resident_memory_bytes',
  'heap MB': 'nodejs_heap_size_used_bytes',
  'external MB': 'nodejs_external_memory_bytes',
}
type Gauge = keyof typeof gauges
type Reading = Record<Gauge, number> & { minute: number }

/**
 * Prints, for each database, the memory of a server under a steady mix of reads and writes every 30 seconds, and its slope after
 * the first minute. Fails if a slope of the resident memory is above 1 MB per minute.
 * @param seconds of the load on each database
 */
export async function benchSoak(seconds: number): Promise<void> {
  await soakDatabase('sqlite', undefined, seconds)
  const postgresUrl = await findPostgres()
  if (postgresUrl) await soakDatabase('postgres', postgresUrl, seconds)
  else console.log('PostgreSQL: no server here, so not measured')
}

async function soakDatabase(
  database: 'sqlite' | 'postgres',
  url: string | undefined,
  seconds: number,
): Promise<void> {
  const adminPort = await freePort()
  const partita = await startPartita(url, { ADMIN_PORT: String(adminPort) })
  console.log(database)
  try {
    const paths: string[] = []
    for (let n = 0; n < 200; n++) {
      const { id } = await partita.post('/scores', { data: musicXml({ title: `Soaked ${n}` }) })
      paths.push(`/v2/scores/${id}`)
    }
    const load = (part: Pick<Load, 'method' | 'body'> & { paths: string[]; connections: number }) =>
      measureLoad({
        ...part,
        targets: [{ url: partita.url, paths: part.paths }],
        seconds,
        token: partita.token,
      })
    const loads = [
      load({ method: 'GET', paths, connections: 10 }),
      load({ method: 'GET', paths: ['/v2/collections/app/scores'], connections: 4 }),
      load({ method: 'GET', paths: paths.map((path) => `${path}/revisions/last/xml`), connections: 4 }),
      load({
        method: 'PUT',
        paths,
        connections: 4,
        body: JSON.stringify({ description: `Edit ${numberPlace}` }),
      }),
    ]
    const readings: Reading[] = []
    const startedAt = performance.now()
    for (let second = interval; second < seconds; second += interval) {
      await delay(startedAt + second * 1000 - performance.now())
      const reading = { minute: second / 60, ...(await readMemory(adminPort)) }
      readings.push(reading)
      const texts = Object.keys(gauges).map((gauge) => `${gauge} ${reading[gauge as Gauge].toFixed(1)}`)
      console.log(`${second} s: ${texts.join(', ')}`)
    }
    const results = await Promise.all(loads)
    const perSecond = results.reduce((sum, one) => sum + one.perSecond, 0)
    const failed = results.reduce((sum, one) => sum + one.failed, 0)
    console.log(`${Math.round(perSecond)} requests/s, ${failed} failed`)
    const counted = readings.filter(({ minute }) => minute * 60 >= warmUp)
    for (const gauge of Object.keys(gauges) as Gauge[]) {
      const slope = slopeOf(counted.map((reading) => [reading.minute, reading[gauge]]))
      console.log(`${gauge} per minute after the first: ${slope.toFixed(2)}`)
      if (gauge === 'RSS MB' && !(slope <= limit)) process.exitCode = 1
    }
  } finally {
    await partita.stop()
  }
}

async function readMemory(adminPort: number): Promise<Record<Gauge, number>> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 2 ** 20
  return Object.fromEntries(Object.entries(gauges).map(([gauge, name]) => [gauge, read(name)])) as Record<
    Gauge,
    number
  >
}

/** Returns the slope of the line with the least squares through points. NaN with fewer than two. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [middleX, middleY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - middleX) ** 2, 0)
  return points.reduce((sum, [x, y]) => sum + (x - middleX) * (y - middleY), 0) / spread
}
