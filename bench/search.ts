import { findPostgres } from '../test/support/postgres-server.ts'
import { musicXml } from '../test/support/scores.ts'
import { fillLibrary } from './library.ts'
import { type Load, type Measured, measureLoad } from './load.ts'
import { startPartita } from './servers.ts'

const scores = 100_000

/** Words of a search by what they find among the scores `Kept 0` to `Kept 99999`. */
const searches = { 'the first score': 'kept', 'one score': 'kept+500', 'no score': 'xylorimba+nowhere' }

/**
 * Prints how long a search in a collection of 100,000 scores takes, and how long getScore takes on ten connections while one
 * client searches all the time.
 * @param seconds of one measurement
 */
export async function benchSearch(seconds: number): Promise<void> {
  await benchDatabase('SQLite', undefined, seconds)
  const postgresUrl = await findPostgres()
  if (postgresUrl) await benchDatabase('PostgreSQL', postgresUrl, seconds)
  else console.log('PostgreSQL: no server here, so not measured')
}

async function benchDatabase(database: string, url: string | undefined, seconds: number): Promise<void> {
  const partita = await startPartita(url)
  try {
    const { id } = await partita.post('/scores', { data: musicXml({ title: 'Measured' }) })
    await fillLibrary(partita.storage, 'ada', scores)
    const load = (path: string, connections: number, duration = seconds): Load => ({
      targets: [{ url: partita.url, paths: [path] }],
      connections,
      seconds: duration,
      method: 'GET',
      token: partita.token,
    })
    const getScore = load(`/v2/scores/${id}`, 10)
    await measureLoad({ ...getScore, seconds: 1 })
    const rows: Record<string, object> = { 'no search': columnsOf(undefined, await measureLoad(getScore)) }
    for (const [found, words] of Object.entries(searches)) {
      const path = `/v2/collections/app/scores?q=${words}`
      const search = load(path, 1)
      await measureLoad({ ...search, seconds: 1 })
      const alone = await measureLoad(search, [partita])
      const [, beside] = await Promise.all([measureLoad(search), measureLoad(getScore)])
      rows[`a search that finds ${found}`] = columnsOf(alone, beside)
    }
    console.log(`\n${database}: searches in a collection of ${scores} scores, and getScore beside one client`)
    console.table(rows)
  } finally {
    await partita.stop()
  }
}

const columnsOf = (search: Measured | undefined, getScore: Measured) => ({
  'search p50 ms': search?.p50.toFixed(1) ?? '',
  'search p99 ms': search?.p99.toFixed(1) ?? '',
  'search CPU ms': search ? (search.cpu.server / 1000).toFixed(1) : '',
  'database CPU ms': search ? (search.cpu.database / 1000).toFixed(1) : '',
  'getScore/s': Math.round(getScore.perSecond),
  'getScore p50 ms': getScore.p50.toFixed(1),
  'getScore p99 ms': getScore.p99.toFixed(1),
})
