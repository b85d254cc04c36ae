import { setTimeout as delay } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { rawConnection } from '../test/support/raw-http.ts'
import { type AttackName, type AttackTarget, longScore } from './fair.targets.ts'

// One attack of the fairness benchmark (`fair.ts`). It runs until its thread is terminated.
const { name, target } = workerData as { name: AttackName; target: AttackTarget }
const { url, attacker, endlessScore, largeScore } = target

const attacks: Readonly<Record<AttackName, () => Promise<unknown>>> = {
  'a score that is engraved without end': () =>
    inParallel(8, () => (endlessScore ? get(`/scores/${endlessScore}/revisions/last/svg`) : delay(1000))),
  'pages that do not exist': () =>
    inParallel(8, (n) => get(`/scores/${largeScore}/revisions/last/svg?page=${90_000 + n}`)),
  '200 uploads': () => {
    const body = JSON.stringify({ data: longScore })
    return inParallel(200, () => post('/scores', body))
  },
  '20 slow bodies': () => inParallel(20, sendSlowly),
  '10 WAV tasks': () => inParallel(10, () => post(`/scores/${largeScore}/revisions/last/wav/task`, '{}')),
}

await attacks[name]()

/** Repeats `work` on this number of parallel connections. Ignores its errors, because the server refuses some attacks. */
async function inParallel(connections: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let count = 0
  const repeat = async () => {
    for (;;) {
      await work(++count).catch(() => {})
      // Without a pause, refused clients would mainly load the network stack, which is not measured here.
      await delay(20)
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
}

/** Sends a request without a token. */
async function get(path: string): Promise<void> {
  await (await fetch(`${url}/v2${path}`)).arrayBuffer()
}

/** Sends a request of the attacking account. */
async function post(path: string, body: string): Promise<void> {
  const headers = { Authorization: `Bearer ${attacker}`, 'Content-Type': 'application/json' }
  await (await fetch(`${url}/v2${path}`, { method: 'POST', headers, body })).arrayBuffer()
}

/** Sends the headers of a request with a large body, and then 2 KiB of the body each second. */
async function sendSlowly(): Promise<void> {
  const connection = rawConnection(url)
  connection.write(
    `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${10 * 1024 * 1024}\r\n\r\n{"data":"`,
  )
  while (!connection.socket.destroyed) {
    connection.write('x'.repeat(2048))
    await delay(1000)
  }
}
