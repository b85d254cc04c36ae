import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { musicXml } from '../test/support/scores.ts'
import { type Partita, startPartita } from './servers.ts'

const signingIn = 20
const perSecond = 200
const rounds = 3

/**
 * Prints the p99 of getScore, asked at an even rate, while nobody signs in and while twenty try all the time with wrong
 * passwords, each from another address: in turns, in one run.
 */
export async function benchFlood(seconds: number): Promise<void> {
  const partita = await startPartita(undefined, { TRUST_PROXY: '127.0.0.1' })
  try {
    const { id } = await partita.post('/scores', { data: musicXml({ title: 'Measured' }) })
    const pairs: { quiet: number; flooded: number; ratio: number; checked: number }[] = []
    await p99Of(partita, id, 1)
    for (let round = 0; round < rounds; round++) {
      const quiet = await p99Of(partita, id, seconds)
      const flood = startFlood(partita.url)
      await delay(1000)
      const flooded = await p99Of(partita, id, seconds)
      pairs.push({ quiet, flooded, ratio: flooded / quiet, checked: await flood.stop() })
    }
    pairs.sort((a, b) => a.ratio - b.ratio)
    console.log(
      `\ngetScore at ${perSecond}/s: p99 in milliseconds, alone and while ${signingIn} sign in all the time; at most twice it`,
    )
    console.table(
      pairs.map(({ quiet, flooded, ratio, checked }) => ({
        quiet: quiet.toFixed(1),
        flooded: flooded.toFixed(1),
        checked,
        ratio: ratio.toFixed(2),
      })),
    )
  } finally {
    await partita.stop()
  }
}

/** Sends one request after another, evenly, however long the answers take: a load in bursts would wait for itself. */
async function p99Of({ url, token }: Partita, score: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 })
  const milliseconds: number[] = []
  async function ask(): Promise<void> {
    const sentAt = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    const [response] = await once(request(`${url}/v2/scores/${score}`, { agent, headers }).end(), 'response')
    if (response.statusCode !== 200) throw new Error(`A request was answered ${response.statusCode}`)
    await once(response.resume(), 'end')
    milliseconds.push(performance.now() - sentAt)
  }
  const asked: Promise<unknown>[] = []
  let failure: unknown
  const startedAt = performance.now()
  for (let n = 0; n < perSecond * seconds && failure === undefined; n++) {
    await delay(Math.max(0, startedAt + (n * 1000) / perSecond - performance.now()))
    asked.push(
      ask().catch((error) => {
        failure ??= error
      }),
    )
  }
  await Promise.all(asked)
  agent.destroy()
  if (failure !== undefined) throw failure
  return milliseconds.sort((a, b) => a - b)[Math.floor(milliseconds.length * 0.99)] ?? 0
}

function startFlood(url: string): { stop(): Promise<number> } {
  const child = fork(fileURLToPath(new URL('flood.child.ts', import.meta.url)), [url, `${signingIn}`])
  return {
    async stop() {
      child.send('stop')
      const ended = once(child, 'exit').then(([code]) => {
        throw new Error(`The flood ended with ${code} before it was told to`)
      })
      const [checked] = await Promise.race([once(child, 'message'), ended])
      ended.catch(() => {})
      return checked
    },
  }
}
