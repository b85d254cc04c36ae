import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { musicXml } from '../test/support/scores.ts'
import { type RequestConnection, connectTo } from './connection.ts'
import { type Partita, startPartita } from './servers.ts'
import { quantile } from './quantile.ts'

const signingIn = 20
const perSecond = 200
/** Seconds of a turn. Turns are short, so that other load on the machine affects both kinds equally. */
const turn = 2

/**
 * Prints the p99 of getScore at a constant rate, with and without twenty clients that sign in with wrong
 * passwords all the time, each from another address. Both are measured in turns in one run. Every second
 * attempt is for the same account, which is refused without a check after a hundred attempts.
 * @param seconds of each kind, in turns of two
 */
export async function benchFlood(seconds: number): Promise<void> {
  const partita = await startPartita(undefined, { TRUST_PROXY: '127.0.0.1' })
  const flood = fork(fileURLToPath(new URL('flood.child.ts', import.meta.url)), [partita.url, `${signingIn}`])
  const ended = once(flood, 'exit').then(([code]) => {
    throw new Error(`The flood ended with ${code} before it was told to`)
  })
  try {
    await Promise.race([ended, inTurns(partita, flood, Math.ceil(seconds / turn))])
  } finally {
    ended.catch(() => {})
    flood.kill()
    await partita.stop()
  }
}

async function inTurns(partita: Partita, flood: ChildProcess, turns: number): Promise<void> {
  const { id } = await partita.post('/scores', { data: musicXml({ title: 'Measured' }) })
  const steady = steadyClient(partita, id)
  const quiet: number[] = []
  const flooded: number[] = []
  let checked = 0
  // The first turn warms up the code and is not measured.
  await steady.ask(turn)
  for (let n = 0; n <= turns; n++) {
    const idle = await steady.ask(turn)
    flood.send('go')
    await delay(300)
    const busy = await steady.ask(turn)
    flood.send('rest')
    const [answered] = await once(flood, 'message')
    if (n === 0) continue
    quiet.push(...idle)
    flooded.push(...busy)
    checked += answered
  }
  steady.close()
  const row = (all: number[]) =>
    Object.fromEntries(
      [50, 95, 99].map((percent) => [`p${percent}`, quantile(all, percent / 100).toFixed(2)]),
    )
  console.log(
    `\ngetScore at ${perSecond}/s, in milliseconds: alone, and while ${signingIn} sign in all the time`,
  )
  console.table({ alone: row(quiet), flooded: { ...row(flooded), checked } })
  console.log(
    `p99 flooded / alone: ${(quantile(flooded, 0.99) / quantile(quiet, 0.99)).toFixed(2)} (at most 2)`,
  )
}

/**
 * Sends requests at a constant rate, however long the responses take. Bursts would queue behind each other.
 */
function steadyClient({ url, token }: Partita, score: string) {
  const all: RequestConnection[] = []
  const idle: RequestConnection[] = []
  const request = `GET /v2/scores/${score} HTTP/1.1\r\nHost: partita.example\r\nAuthorization: Bearer ${token}\r\n\r\n`

  function open(): RequestConnection {
    const connection = connectTo(url)
    all.push(connection)
    return connection
  }

  async function sendRequest(): Promise<number> {
    const sentAt = performance.now()
    // Takes the connection that has been idle longest, so that none is closed for inactivity.
    const connection = idle.shift() ?? open()
    const status = await connection.send(request)
    if (status !== 200) throw new Error(`A request was answered ${status}`)
    idle.push(connection)
    return performance.now() - sentAt
  }

  return {
    /** Resolves to the duration of each request, in milliseconds. */
    async ask(seconds: number): Promise<number[]> {
      const durations: Promise<number>[] = []
      const startedAt = performance.now()
      for (let n = 0; n < perSecond * seconds; n++) {
        await delay(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()))
        durations.push(sendRequest())
        // The `await` of all requests below reports a failure.
        durations.at(-1)?.catch(() => {})
      }
      return Promise.all(durations)
    },
    close() {
      for (const connection of all) connection.close()
    },
  }
}
