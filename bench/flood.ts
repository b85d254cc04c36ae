import autocannon from 'autocannon'
import { musicXml } from '../test/support/scores.ts'
import { type Partita, startPartita } from './servers.ts'

const signingIn = 20
const rounds = 3

/**
 * Prints the p99 of getScore, asked at a steady rate, while nobody signs in and while twenty try all the time with wrong
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
      const flooded = await p99Of(partita, id, seconds)
      pairs.push({ quiet, flooded, ratio: flooded / quiet, checked: await flood.stop() })
    }
    pairs.sort((a, b) => a.ratio - b.ratio)
    console.log(
      `\ngetScore at 500/s: p99 in milliseconds, alone and while ${signingIn} sign in all the time; at most twice it`,
    )
    console.table(pairs.map(({ ratio, ...pair }) => ({ ...pair, ratio: ratio.toFixed(2) })))
  } finally {
    await partita.stop()
  }
}

async function p99Of({ url, token }: Partita, score: string, duration: number): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const options = { url: `${url}/v2/scores/${score}`, headers, connections: 10, overallRate: 500, duration }
  const { latency, non2xx, errors } = await autocannon(options)
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`)
  return Math.max(latency.p99, 1)
}

function startFlood(url: string): { stop(): Promise<number> } {
  let goesOn = true
  let checked = 0
  const attempts = Array.from({ length: signingIn }, async (_, who) => {
    for (let n = 0; goesOn; n++) {
      const response = await fetch(`${url}/auth/signin`, {
        method: 'POST',
        headers: { 'x-forwarded-for': `203.0.${who}.${n % 256}`, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ username: n % 2 ? 'ada' : `nobody ${who} ${n}`, password: 'a wrong one' }),
      })
      await response.arrayBuffer()
      if (response.status === 401) checked++
    }
  })
  return {
    async stop() {
      goesOn = false
      await Promise.all(attempts)
      return checked
    },
  }
}
