import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { rawConnection } from '../test/support/raw-http.ts'
import { type AttackName, type AttackTarget, audioScore, longScore } from './fair.targets.ts'

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
  '10 WAV tasks': () => inParallel(10, renderNewScore),
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

/** Uploads a new score, because the audio of a score is rendered only once. Resolves when its WAV file is finished. */
async function renderNewScore(n: number): Promise<void> {
  const { id } = await post('/scores', JSON.stringify({ title: `Piece ${n}`, data: audioScore }))
  let task = await post(`/scores/${id}/revisions/last/wav/task`, '{}')
  while (task.state !== 'done' && task.state !== 'error') {
    await delay(200)
    task = await get(`/tasks/${task.id}`, attacker)
  }
}

type Body = { id?: string; state?: string }

/** Sends a request without a token by default. */
async function get(path: string, token?: string): Promise<Body> {
  return answer(fetch(`${url}/v2${path}`, { headers: token ? { Authorization: `Bearer ${token}` } : {} }))
}

/** Sends a request of the attacking account. */
async function post(path: string, body: string): Promise<Body> {
  const headers = { Authorization: `Bearer ${attacker}`, 'Content-Type': 'application/json' }
  return answer(fetch(`${url}/v2${path}`, { method: 'POST', headers, body }))
}

/** Reads an answer, and tells the benchmark its status. */
async function answer(sent: Promise<Response>): Promise<Body> {
  const response = await sent
  const bytes = await response.text()
  parentPort?.postMessage(response.status)
  return response.headers.get('Content-Type')?.includes('json') ? JSON.parse(bytes) : {}
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
