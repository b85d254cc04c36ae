import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { clientOf } from '../test/support/client.ts'
import { freePort, runPartita } from '../test/support/program.ts'
import { emptyPiano } from '../test/support/scores.ts'
import { findPostgres } from '../test/support/postgres-server.ts'
import { profileOf, sharesOf } from './shares.ts'
import { type Partita, startPartita } from './servers.ts'

const settings = { OUTGOING_ALLOW: '127.0.0.1', LOG_LEVEL: 'error', SHIPPED_CONTENT: 'false' }

/** Answers each request, and calls back with its path and message. */
async function receive(
  onMessage: (path: string, id: string) => void,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      onMessage(request.url ?? '', String(request.headers['webhook-id']))
      // A dead endpoint takes the request and never answers.
      if (!request.url?.startsWith('/dead')) response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const addWebhook = (storage: Partita['storage'], user: string, url: string) =>
  runPartita(['webhook', 'add', url, '--user', user], {
    ...settings,
    DATA_DIR: storage.dataDir,
    DATABASE_URL: storage.databaseUrl,
  })

/** Returns the ids of all events of the account. */
async function eventIds(partita: Partita): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const after = ids.at(-1)
    const response = await partita.fetch('GET', `/v2/events?limit=100${after ? `&after=${after}` : ''}`)
    const page = (await response.json()) as { id: string }[]
    ids.push(...page.map(({ id }) => id))
    if (page.length < 100) return ids
  }
}

/**
 * Kills the server with SIGKILL so many times while scores are edited, and compares the messages that a webhook got with the events.
 * Fails if one is missing.
 */
async function benchDelivery(
  databaseUrl: string | undefined,
  kills: number,
): Promise<Record<string, number>> {
  const received = new Map<string, number>()
  const { server, url } = await receive((_path, id) => received.set(id, (received.get(id) ?? 0) + 1))
  const partita = await startPartita(databaseUrl, settings)
  try {
    await addWebhook(partita.storage, 'ada', url)
    const { id: score } = await partita.post('/scores', emptyPiano())
    let isDone = false
    const edit = async (): Promise<void> => {
      for (let n = 0; !isDone; n++)
        await partita.fetch('PUT', `/v2/scores/${score}`, { description: `${n}` }).catch(() => delay(50))
    }
    const editors = Array.from({ length: 4 }, edit)
    for (let kill = 0; kill < kills; kill++) {
      await delay(100 + Math.random() * 300)
      await partita.restart()
    }
    isDone = true
    await Promise.all(editors)
    const events = await eventIds(partita)
    const missing = () => events.filter((id) => !received.has(id)).length
    // The lease of the last killed worker lasts a minute.
    for (let waited = 0; missing() > 0 && waited < 150; waited++) await delay(1000)
    if (missing() > 0) process.exitCode = 1
    return {
      events: events.length,
      lost: missing(),
      'sent twice under one id': [...received.values()].filter((count) => count > 1).length,
    }
  } finally {
    await partita.stop()
    server.closeAllConnections()
    server.close()
  }
}

const accounts = 10
const webhooksOfAccount = 20
const rounds = 20

/** Measures how long an event takes from the answer to its change until the webhooks get it, while a tenth of them never answers. */
async function benchDead(databaseUrl: string | undefined): Promise<Record<string, number>> {
  const sent = new Map<number, number>()
  const latencies: number[] = []
  const seen = new Set<string>()
  const { server, url } = await receive((path, id) => {
    const [, kind, account = '', webhook] = path.split('/')
    if (kind === 'dead' || seen.has(`${webhook} ${account} ${id}`)) return
    seen.add(`${webhook} ${account} ${id}`)
    latencies.push(performance.now() - (sent.get(Number(account)) ?? 0))
  })
  const partita = await startPartita(databaseUrl, settings)
  try {
    const tokens: string[] = []
    for (let account = 0; account < accounts; account++) {
      tokens.push(await partita.createAccount(`owner${account}`))
      for (let webhook = 0; webhook < webhooksOfAccount; webhook++) {
        const kind = webhook % 10 === 0 ? 'dead' : 'live'
        await addWebhook(partita.storage, `owner${account}`, `${url}/${kind}/${account}/${webhook}`)
      }
    }
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        tokens.map(async (token, account) => {
          await partita.fetch('POST', '/v2/scores', emptyPiano(), token)
          sent.set(account, performance.now())
        }),
      )
      await delay(2500)
    }
    latencies.sort((a, b) => a - b)
    const at = (part: number) => Math.round(latencies[Math.floor(latencies.length * part)] ?? Number.NaN)
    return {
      expected: rounds * accounts * webhooksOfAccount * 0.9,
      received: latencies.length,
      'median ms': at(0.5),
      'p95 ms': at(0.95),
      'most ms': at(0.9999),
    }
  } finally {
    await partita.stop()
    server.closeAllConnections()
    server.close()
  }
}

/** Returns what part of the CPU time of the serving thread recording events takes in editScore and in handing in, on SQLite. */
async function benchCost(seconds: number): Promise<Record<string, Record<string, string>>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partita-bench-'))
  const environment = { ...settings, DATA_DIR: dataDir, RATE_LIMIT_AUTHENTICATED: '1000000000' }
  const { stdout } = await runPartita(['demo', '--json'], environment)
  const demo: { users: { username: string; token: string }[] } = JSON.parse(stdout)
  const config = readConfig({}, { ...environment, PORT: String(await freePort()) })
  const app = await startApp(config)
  try {
    const as = (username: string) =>
      clientOf(config.publicUrl, demo.users.find((user) => user.username === username)?.token)
    const [teacher, student] = [as('tess.teacher'), as('sam.student')]
    const { body: score } = await teacher.post('/scores', emptyPiano())
    const [{ id: schoolClass }] = (await student.get('/classes')).body
    const [{ id: assignment }] = (await student.get(`/classes/${schoolClass}/assignments`)).body
    const work = `/classes/${schoolClass}/assignments/${assignment}/submissions`
    const operations = {
      editScore: (n: number) => teacher.put(`/scores/${score.id}`, { description: `${n}` }),
      createSubmission: (n: number) => student.put(work, { submit: n % 2 === 0 }),
    }
    const shares: Record<string, Record<string, string>> = {}
    for (const [name, operation] of Object.entries(operations)) {
      const load = async (duration: number) => {
        const until = performance.now() + duration * 1000
        for (let n = 0; performance.now() < until; n++) await operation(n)
      }
      await load(1)
      const isEvents = ({ url }: { url: string }) => url.includes('/features/people/events/')
      shares[name] = sharesOf(await profileOf(() => load(seconds)), { events: isEvents })
    }
    return shares
  } finally {
    await app.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * Shows that webhooks lose no event, that dead ones do not delay others, and what an event costs.
 * @param kills how often the server is killed
 */
export async function benchWebhooks(kills: number): Promise<void> {
  console.log('\nWhat part of the CPU time of a request recording its events takes')
  console.table(await benchCost(4))
  const databases = { SQLite: undefined, PostgreSQL: await findPostgres() }
  for (const [database, url] of Object.entries(databases)) {
    if (database === 'PostgreSQL' && !url) continue
    console.log(`\n${database}: after ${kills} kills between commits and deliveries`)
    console.table(await benchDelivery(url, kills))
    console.log(`\n${database}: ${accounts * webhooksOfAccount} webhooks, of which a tenth never answers`)
    console.table(await benchDead(url))
  }
}
