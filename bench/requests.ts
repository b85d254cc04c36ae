import autocannon from 'autocannon'
import { findPostgres } from '../test/support/postgres-server.ts'
import { musicXml } from '../test/support/scores.ts'
import { fillLibrary } from './library.ts'
import { makeBenchSchool } from './school.ts'
import { type Measurable, type Partita, startBare, startMinimal, startPartita } from './servers.ts'

/** A request that is measured repeatedly on many connections. */
interface Case {
  name: string
  method: 'GET' | 'PUT' | 'POST'
  path: string | ((n: number) => string)
  /** The body of the nth request. */
  body?(n: number): unknown
  /** The token of the caller. Defaults to the owner of the scores. */
  token?: string
  /** Creates what only this case needs, before the measurement. */
  prepare?(): Promise<void>
  /** The ratio that the case must reach, by database. */
  floors?: { sqlite: number; postgres?: number }
  /** Whether minimal.ts serves the same request. */
  isMinimal?: boolean
}

interface Measured {
  perSecond: number
  /** The duration of the measurement. */
  seconds: number
  p50: number
  p99: number
  failed: number
  /** CPU time of a request in microseconds, if the server is measured. */
  cpu?: { server: number; database: number }
}

const connections = 50
const rounds = 3

/**
 * Prints, for each database, the requests per second of each operation, and their ratio to a bare node:http
 * server that sends the same bytes. Both are measured in turns in the same run, because machines are noisy.
 * The CPU time of a request is that of the server's process with its threads and children, and that of its database connections.
 * On PostgreSQL, each case that minimal.ts serves has a row for it.
 * @param seconds for one measurement; each one is repeated three times
 */
export async function benchRequests(seconds: number, only?: string): Promise<void> {
  await benchDatabase('sqlite', undefined, seconds, only)
  const postgresUrl = await findPostgres()
  if (postgresUrl) await benchDatabase('postgres', postgresUrl, seconds, only)
  else console.log('PostgreSQL: no server here, so not measured')
}

async function benchDatabase(
  database: 'sqlite' | 'postgres',
  url: string | undefined,
  seconds: number,
  only: string | undefined,
): Promise<void> {
  const partita = await startPartita(url)
  const rows: Record<string, Record<string, string | number>> = {}
  try {
    for (const one of await prepareCases(partita)) {
      if (only && !only.split(',').includes(one.name.split(',')[0] ?? '')) continue
      await one.prepare?.()
      const { bare, served, minimal, ratio } = await compare(partita, one, seconds, database === 'postgres')
      const shared = { 'bare/s': Math.round(bare.perSecond) }
      rows[one.name] = {
        ...columnsOf(served),
        ...shared,
        ratio: ratio.toFixed(3),
        floor: one.floors?.[database] ?? '',
      }
      if (minimal) {
        const ratio = (minimal.perSecond / bare.perSecond).toFixed(3)
        rows[`  ${one.name}, minimal server`] = { ...columnsOf(minimal), ...shared, ratio, floor: '' }
      }
    }
  } finally {
    await partita.stop()
  }
  console.log(`\n${database}, ${connections} connections, idle resident memory ${partita.idleMegabytes} MB`)
  console.table(rows)
}

const columnsOf = ({ perSecond, p50, p99, failed, cpu }: Measured) => ({
  'requests/s': Math.round(perSecond),
  'CPU µs': Math.round(cpu?.server ?? 0),
  'database µs': Math.round(cpu?.database ?? 0),
  'p50 ms': p50,
  'p99 ms': p99,
  failed,
})

/** The requests on a score of usual size and on a collection with 25 more scores. */
async function prepareCases(partita: Partita): Promise<Case[]> {
  const measures = Array.from({ length: 32 }, () => 'C4 D4 E4 F4')
  const score = await partita.post('/scores', { data: musicXml({ title: 'Measured', measures }) })
  for (let i = 0; i < 30; i++) await partita.post('/scores', { data: musicXml({ title: `Listed ${i}` }) })
  const at = `/scores/${score.id}`
  const edited: string[] = []
  for (let i = 0; i < 200; i++) edited.push((await partita.post('/scores', { data: musicXml() })).id)
  const school = await makeBenchSchool(partita, 30)
  const builderData = { scoreData: { instruments: [{ group: 'keyboards', instrument: 'piano' }] } }
  return [
    { name: 'getScore', method: 'GET', path: at, isMinimal: true, floors: { sqlite: 0.35, postgres: 0.16 } },
    {
      name: 'listCollectionScores, 25',
      method: 'GET',
      path: '/collections/app/scores',
      isMinimal: true,
      floors: { sqlite: 0.12, postgres: 0.11 },
    },
    {
      name: 'editScore',
      method: 'PUT',
      path: (n) => `/scores/${edited[n % edited.length]}`,
      body: (n) => ({ subtitle: `Edit ${n}` }),
      isMinimal: true,
      floors: { sqlite: 0.12, postgres: 0.05 },
    },
    {
      name: 'createScore, empty',
      method: 'POST',
      path: '/scores',
      body: (n) => ({ title: `New ${n}`, builderData }),
      floors: { sqlite: 0.05, postgres: 0.03 },
    },
    {
      name: 'createScoreRevision',
      method: 'POST',
      path: `${at}/revisions`,
      body: (n) => ({ data: musicXml({ title: `Revised ${n}`, measures }) }),
    },
    {
      name: 'postScoreComment',
      method: 'POST',
      path: `${at}/comments`,
      body: (n) => ({ comment: `Comment ${n}` }),
      floors: { sqlite: 0.12, postgres: 0.05 },
    },
    {
      name: 'createSubmission',
      method: 'PUT',
      path: school.path,
      token: school.student,
      body: (n) => ({ exercisesIds: [`${n}`] }),
      floors: { sqlite: 0.12 },
    },
    {
      name: 'getSubmissions, 30',
      method: 'GET',
      path: school.path,
      token: school.teacher,
      floors: { sqlite: 0.1 },
    },
    { name: 'getScoreRevisionData, xml', method: 'GET', path: `${at}/revisions/last/xml` },
    { name: 'getScoreRevisionData, midi', method: 'GET', path: `${at}/revisions/last/midi` },
    {
      name: 'listCollectionScores of 100000, 25',
      method: 'GET',
      path: '/collections/app/scores',
      prepare: () => fillLibrary(partita.storage, 'ada', 100_000),
      floors: { sqlite: 0.11 },
    },
  ]
}

async function compare(partita: Partita, one: Case, seconds: number, withMinimal: boolean) {
  const { token = partita.token } = one
  const sample = await partita.fetch(one.method, pathOf(one, 0), one.body?.(0), one.token)
  if (!sample.ok) throw new Error(`${one.name}: ${sample.status} ${await sample.text()}`)
  const bare = await startBare(
    sample.headers.get('content-type') ?? '',
    new Uint8Array(await sample.arrayBuffer()),
  )
  const minimal = withMinimal && one.isMinimal ? await startMinimal(partita.storage.databaseUrl) : undefined
  try {
    for (const { url } of [partita, bare, ...(minimal ? [minimal] : [])]) await load(url, token, one, 1)
    const measured: { bare: Measured; served: Measured; minimal: Measured | undefined; ratio: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const unloaded = await load(bare.url, token, one, seconds)
      const served = await loadMeasured(partita, token, one, seconds)
      const ratio = served.perSecond / unloaded.perSecond
      measured.push({
        bare: unloaded,
        served,
        minimal: minimal && (await loadMeasured(minimal, token, one, seconds)),
        ratio,
      })
    }
    measured.sort((a, b) => a.ratio - b.ratio)
    return measured[Math.floor(rounds / 2)] as (typeof measured)[number]
  } finally {
    await minimal?.stop()
    await bare.stop()
  }
}

/** Loads a server, and measures the CPU time of a request. */
async function loadMeasured(
  server: Measurable,
  token: string,
  one: Case,
  seconds: number,
): Promise<Measured> {
  const before = await server.cpuTime()
  const measured = await load(server.url, token, one, seconds)
  const after = await server.cpuTime()
  const perRequest = (time: number) => time / Math.max(1, measured.perSecond * measured.seconds)
  return {
    ...measured,
    cpu: {
      server: perRequest(after.server - before.server),
      database: perRequest(after.database - before.database),
    },
  }
}

const pathOf = ({ path }: Case, n: number) => `/v2${typeof path === 'string' ? path : path(n)}`

async function load(url: string, token: string, one: Case, seconds: number): Promise<Measured> {
  const { method, body } = one
  let n = 0
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers,
    requests: [
      body
        ? {
            setupRequest: (request) => ({
              ...request,
              path: pathOf(one, ++n),
              body: JSON.stringify(body(n)),
            }),
          }
        : { method, path: pathOf(one, 0) },
    ],
  })
  return {
    perSecond: result['2xx'] / result.duration,
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}
