import { findPostgres } from '../test/support/postgres-server.ts'
import { musicXml } from '../test/support/scores.ts'
import { fillLibrary } from './library.ts'
import { columnsOf, type Load, type Measured, measureLoad, middleOf, numberPlace } from './load.ts'
import { makeBenchSchool } from './school.ts'
import { type Partita, startBare, startMinimal, startPartita } from './servers.ts'

/** A request that is measured repeatedly on many connections. */
interface Case {
  name: string
  method: 'GET' | 'PUT' | 'POST'
  /** The paths that are requested in turn. */
  paths: readonly string[]
  /** The body of a request, with its number as text. */
  body?(n: string): unknown
  /** The token of the caller. Defaults to the owner of the scores. */
  token?: string
  /** Creates what only this case needs, before the measurement. */
  prepare?(): Promise<void>
  /** The ratio that the case must reach, by database. */
  floors?: { sqlite: number; postgres?: number }
  /** Whether minimal.ts serves the same request. */
  isMinimal?: boolean
}

const connections = 50
const repetitions = 3

/**
 * Prints, for each database, the requests per second of each operation, and their ratio to a bare node:http
 * server that sends the same headers and bytes. Both are measured in turns in the same run, because machines are noisy.
 * Each row is the repetition with the middle ratio; the spread has the lowest and the highest ratio.
 * On PostgreSQL, each case that minimal.ts serves has a row for it. Fails if a ratio is below the floor of its case.
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
      const { served, minimal } = await compare(partita, one, seconds, database === 'postgres')
      const floor = one.floors?.[database]
      const row = rowOf(served)
      rows[one.name] = { ...row, floor: floor ?? '' }
      if (floor !== undefined && Number(row.ratio) < floor) process.exitCode = 1
      if (minimal) rows[`  ${one.name}, minimal server`] = { ...rowOf(minimal), floor: '' }
    }
  } finally {
    await partita.stop()
  }
  console.log(`\n${database}, ${connections} connections, idle resident memory ${partita.idleMegabytes} MB`)
  console.table(rows)
}

/** One measurement of a server, and that of the bare server before it. */
interface Compared {
  measured: Measured
  bare: Measured
}

/** Returns the columns of the repetition with the middle ratio, and how far the ratios spread. */
function rowOf(repetitions: readonly Compared[]) {
  const ratioOf = ({ measured, bare }: Compared) => measured.perSecond / bare.perSecond
  const { middle, lowest, highest } = middleOf(repetitions, ratioOf)
  return {
    ...columnsOf(middle.measured),
    'bare/s': Math.round(middle.bare.perSecond),
    ratio: ratioOf(middle).toFixed(3),
    spread: `${lowest.toFixed(3)}–${highest.toFixed(3)}`,
  }
}

/** The requests on a score of usual size and on a collection with 25 more scores. */
async function prepareCases(partita: Partita): Promise<Case[]> {
  const measures = Array.from({ length: 32 }, () => 'C4 D4 E4 F4')
  const score = await partita.post('/scores', { data: musicXml({ title: 'Measured', measures }) })
  for (let i = 0; i < 30; i++) await partita.post('/scores', { data: musicXml({ title: `Listed ${i}` }) })
  const at = `/scores/${score.id}`
  const edited: string[] = []
  for (let i = 0; i < 200; i++)
    edited.push(`/scores/${(await partita.post('/scores', { data: musicXml() })).id}`)
  const school = await makeBenchSchool(partita, 30)
  const builderData = { scoreData: { instruments: [{ group: 'keyboards', instrument: 'piano' }] } }
  return [
    {
      name: 'getScore',
      method: 'GET',
      paths: [at],
      isMinimal: true,
      floors: { sqlite: 0.35, postgres: 0.16 },
    },
    {
      name: 'listCollectionScores, 25',
      method: 'GET',
      paths: ['/collections/app/scores'],
      isMinimal: true,
      floors: { sqlite: 0.09, postgres: 0.06 },
    },
    {
      name: 'editScore',
      method: 'PUT',
      paths: edited,
      body: (n) => ({ subtitle: `Edit ${n}` }),
      isMinimal: true,
      floors: { sqlite: 0.12, postgres: 0.028 },
    },
    {
      name: 'createScore, empty',
      method: 'POST',
      paths: ['/scores'],
      body: (n) => ({ title: `New ${n}`, builderData }),
      floors: { sqlite: 0.045, postgres: 0.025 },
    },
    {
      name: 'createScoreRevision',
      method: 'POST',
      paths: edited.map((path) => `${path}/revisions`),
      body: (n) => ({ data: musicXml({ title: `Revised ${n}`, measures }) }),
    },
    {
      name: 'postScoreComment',
      method: 'POST',
      paths: [`${at}/comments`],
      body: (n) => ({ comment: `Comment ${n}` }),
      floors: { sqlite: 0.18, postgres: 0.04 },
    },
    {
      name: 'createSubmission',
      method: 'PUT',
      paths: [school.path],
      token: school.student,
      body: (n) => ({ exercisesIds: [n] }),
      floors: { sqlite: 0.12, postgres: 0.022 },
    },
    {
      name: 'getSubmissions, 30',
      method: 'GET',
      paths: [school.path],
      token: school.teacher,
      floors: { sqlite: 0.09, postgres: 0.045 },
    },
    {
      name: 'getScoreRevisionData, xml',
      method: 'GET',
      paths: [`${at}/revisions/last/xml`],
      floors: { sqlite: 0.26, postgres: 0.2 },
    },
    {
      name: 'getScoreRevisionData, midi',
      method: 'GET',
      paths: [`${at}/revisions/last/midi`],
      floors: { sqlite: 0.22, postgres: 0.19 },
    },
    {
      name: 'listCollectionScores of 100000, 25',
      method: 'GET',
      paths: ['/collections/app/scores'],
      prepare: () => fillLibrary(partita.storage, 'ada', 100_000),
      floors: { sqlite: 0.07, postgres: 0.055 },
    },
  ]
}

async function compare(partita: Partita, one: Case, seconds: number, withMinimal: boolean) {
  const { token = partita.token, method, body } = one
  const sample = await partita.fetch(method, `/v2${one.paths[0]}`, body?.('0'), one.token)
  if (!sample.ok) throw new Error(`${one.name}: ${sample.status} ${await sample.text()}`)
  const bare = await startBare(sample.headers, new Uint8Array(await sample.arrayBuffer()))
  const minimal = withMinimal && one.isMinimal ? await startMinimal(partita.storage.databaseUrl) : undefined
  const paths = one.paths.map((path) => `/v2${path}`)
  const load = { connections, seconds, method, token, body: body && JSON.stringify(body(numberPlace)) }
  const loadOf = (url: string): Load => ({ ...load, targets: [{ url, paths }] })
  const measured = [partita, ...(minimal ? [minimal] : [])]
  try {
    for (const { url } of [bare, ...measured]) await measureLoad({ ...loadOf(url), seconds: 1 })
    const served: Compared[] = []
    const hand: Compared[] = []
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const unloaded = await measureLoad(loadOf(bare.url))
      for (const server of measured) {
        const result = { measured: await measureLoad(loadOf(server.url), [server]), bare: unloaded }
        if (server === minimal) hand.push(result)
        else served.push(result)
      }
    }
    return { served, minimal: minimal && hand }
  } finally {
    await minimal?.stop()
    await bare.stop()
  }
}
