import { findPostgres } from '../test/support/postgres-server.ts'
import { musicXml } from '../test/support/scores.ts'
import { columnsOf, type Measured, measureLoad, middleOf, numberPlace } from './load.ts'
import { startPartita } from './servers.ts'

const connections = 50
const repetitions = 3

/**
 * Prints the edits per second of one server process and of two on one PostgreSQL database, with the same connections. Two
 * processes edit scores that only one of them edits, and then the same score. All are measured in turns.
 * @param seconds of one measurement; each one is repeated three times
 */
export async function benchShared(seconds: number): Promise<void> {
  const postgresUrl = await findPostgres()
  if (!postgresUrl) {
    console.log('Two processes: no PostgreSQL server here, so not measured')
    return
  }
  const partita = await startPartita(postgresUrl)
  try {
    const other = await partita.startAnother()
    const scores: string[] = []
    for (let n = 0; n < 200; n++) {
      const { id } = await partita.post('/scores', { data: musicXml({ title: `Shared ${n}` }) })
      scores.push(`/v2/scores/${id}`)
    }
    const [first, second] = [scores.slice(0, 100), scores.slice(100)]
    const hot = scores.slice(0, 1)
    const targets = {
      'other scores, one process': [{ url: partita.url, paths: scores }],
      'other scores, two processes': [
        { url: partita.url, paths: first },
        { url: other.url, paths: second },
      ],
      'the same score, one process': [{ url: partita.url, paths: hot }],
      'the same score, two processes': [
        { url: partita.url, paths: hot },
        { url: other.url, paths: hot },
      ],
    }
    const edits = {
      // A description is only metadata. A subtitle is also written into the document.
      description: JSON.stringify({ description: `Edit ${numberPlace}` }),
      subtitle: JSON.stringify({ subtitle: `Edit ${numberPlace}` }),
    }
    const rows: Record<string, object> = {}
    for (const [field, body] of Object.entries(edits)) {
      const measure = (to: (typeof targets)[keyof typeof targets], duration: number) =>
        measureLoad(
          { targets: to, connections, seconds: duration, method: 'PUT', token: partita.token, body },
          [partita, other],
        )
      const results = new Map<string, Measured[]>()
      for (const to of Object.values(targets)) await measure(to, 1)
      for (let repetition = 0; repetition < repetitions; repetition++)
        for (const [name, to] of Object.entries(targets))
          results.set(name, [...(results.get(name) ?? []), await measure(to, seconds)])
      for (const [name, measured] of results) {
        const { middle, lowest, highest } = middleOf(measured, ({ perSecond }) => perSecond)
        const spread = `${Math.round(lowest)}–${Math.round(highest)}`
        rows[`${field}, ${name}`] = { ...columnsOf(middle), spread }
      }
    }
    console.log(`\nEdits on PostgreSQL, ${connections} connections`)
    console.table(rows)
  } finally {
    await partita.stop()
  }
}
