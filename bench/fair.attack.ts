import { setTimeout as delay } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { rawConnection } from '../test/support/raw-http.ts'
import { type AttackName, type AttackTarget, longPiece } from './fair.targets.ts'

// Runs one attack in a thread until the thread is terminated.
const { name, target } = workerData as { name: AttackName; target: AttackTarget }
const { url, attacker, poisoned, large } = target

const attacks: Readonly<Record<AttackName, () => Promise<unknown>>> = {
  'a score that engines cannot take': () =>
    inParallel(8, () => (poisoned ? get(`/scores/${poisoned}/revisions/last/svg`) : delay(1000))),
  'pages that do not exist': () =>
    inParallel(8, (n) => get(`/scores/${large}/revisions/last/svg?page=${90_000 + n}`)),
  '200 uploads': () => {
    const body = JSON.stringify({ data: longPiece })
    return inParallel(200, () => post('/scores', body))
  },
  '20 slow bodies': () => inParallel(20, sendSlowly),
  '10 WAV tasks': () => inParallel(10, () => post(`/scores/${large}/revisions/last/wav/task`, '{}')),
}

await attacks[name]()

/** Repeats work on so many connections. Refusals are expected. */
async function inParallel(connections: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let count = 0
  const repeat = async () => {
    for (;;) {
      await work(++count).catch(() => {})
      // A refused client that tries again at once would measure the network stack.
      await delay(20)
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
}

async function get(path: string): Promise<void> {
  await (await fetch(`${url}/v2${path}`)).arrayBuffer()
}

async function post(path: string, body: string): Promise<void> {
  const headers = { Authorization: `Bearer ${attacker}`, 'Content-Type': 'application/json' }
  await (await fetch(`${url}/v2${path}`, { method: 'POST', headers, body })).arrayBuffer()
}

/** Announces a large body and sends two kilobytes of it each second. */
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
