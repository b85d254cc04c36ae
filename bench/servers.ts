import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { cpuTimeOf, databaseCpu } from './cpu-time.ts'
import { freePort, runPartita, spawnPartita, waitUntilReady } from '../test/support/program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** A server with the CPU time that it has used. */
export interface Measurable extends Running {
  /** Returns the CPU time of the process with its threads and children, and of its database connections, in microseconds. */
  cpuTime(): Promise<{ server: number; database: number }>
}

/** A server in a process of its own, as in production, with one account. */
export interface Partita extends Measurable {
  readonly token: string
  /** The settings of its storage. */
  readonly storage: { readonly dataDir: string; readonly databaseUrl: string }
  /** Resident memory after the start and before the first request, in MB. */
  readonly idleMegabytes: number
  /** @param token the token of the first account by default; empty for an anonymous request */
  fetch(method: string, path: string, body?: unknown, token?: string): Promise<Response>
  post(path: string, body: unknown): Promise<{ id: string }>
  /** Creates an account with the command line. Resolves to a token with all scopes. */
  createAccount(username: string, email?: string): Promise<string>
  /**
   * Starts another server process with the same data. The CPU time of its database connections counts as that of the first
   * server.
   */
  startAnother(): Promise<Measurable>
  /** Kills the server with SIGKILL, and starts it again with the same data. */
  restart(): Promise<void>
}

/**
 * @param databaseUrl a PostgreSQL server, on which the benchmark gets its own schema; SQLite by default
 * @param settings further settings
 */
export async function startPartita(
  databaseUrl?: string,
  settings: Record<string, string> = {},
): Promise<Partita> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partita-bench-'))
  const schema = databaseUrl ? await makeSchema(databaseUrl) : undefined
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: schema?.url ?? '',
    RATE_LIMIT_AUTHENTICATED: '1000000000',
    RATE_LIMIT_ANONYMOUS: '1000000000',
    ...settings,
  }
  async function start(port: number): Promise<ChildProcess> {
    const child = spawnPartita(['serve'], { ...environment, PORT: String(port) })
    // An unread pipe would fill up and block the server.
    child.stdout?.resume()
    child.stderr?.resume()
    await waitUntilReady(`http://127.0.0.1:${port}`, child)
    return child
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let server = await start(port)
  const others: ChildProcess[] = []
  async function createAccount(username: string, email?: string): Promise<string> {
    const address = email ? ['--email', email] : []
    const created = ['user', 'create', '--username', username, '--password', 'a long one', ...address]
    await runPartita(created, environment)
    const { stdout } = await runPartita(['token', 'create', '--user', username, '--json'], environment)
    return JSON.parse(stdout).token
  }
  const token = await createAccount('ada')
  const idleMegabytes = await residentMegabytes(server)

  const request = (method: string, path: string, body?: unknown, accessToken = token) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(accessToken && { Authorization: `Bearer ${accessToken}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const cpuTime = await cpuTimes(() => server, schema)
  return {
    url,
    token,
    cpuTime: cpuTime.read,
    storage: { dataDir, databaseUrl: schema?.url ?? '' },
    idleMegabytes,
    fetch: request,
    createAccount,
    async post(path, body) {
      const response = await request('POST', `/v2${path}`, body)
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as { id: string }
    },
    async startAnother() {
      const otherPort = await freePort()
      const other = await start(otherPort)
      others.push(other)
      const cpuTime = await cpuTimes(() => other, undefined)
      return {
        url: `http://127.0.0.1:${otherPort}`,
        cpuTime: cpuTime.read,
        stop: () => stopProcess(other),
      }
    },
    async restart() {
      await stopProcess(server, 'SIGKILL')
      server = await start(port)
    },
    async stop() {
      await cpuTime.close()
      await Promise.all([server, ...others].map((one) => stopProcess(one)))
      await schema?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Headers that node:http writes by itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'])

/** The least work that a node:http server can do: reads the request and sends these headers and bytes. */
export async function startBare(headers: Headers, bytes: Uint8Array): Promise<Running> {
  const port = await freePort()
  const sent = JSON.stringify(Object.fromEntries([...headers].filter(([name]) => !ownHeaders.has(name))))
  const child = spawn(process.execPath, [join(root, 'bench/bare.ts'), String(port), sent], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(bytes)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(url, child)
  return { url, stop: () => stopProcess(child) }
}

/**
 * Starts the server of minimal.ts on the database of another server.
 * @param databaseUrl with the schema in its options
 */
export async function startMinimal(databaseUrl: string): Promise<Measurable> {
  const port = await freePort()
  const application = `bench_${randomBytes(6).toString('hex')}`
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', application)
  const child = spawn(process.execPath, [join(root, 'bench/minimal.ts'), String(port), url.href], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const address = `http://127.0.0.1:${port}`
  await waitUntilListening(address, child)
  const cpuTime = await cpuTimes(() => child, { url: url.href, application })
  return {
    url: address,
    cpuTime: cpuTime.read,
    async stop() {
      await cpuTime.close()
      await stopProcess(child)
    },
  }
}

async function waitUntilListening(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`The server exited with code ${child.exitCode} before it was ready`)
}

/** @param database the server and the name under which the process connects to it; undefined with SQLite */
async function cpuTimes(
  process: () => ChildProcess,
  database: { readonly url: string; readonly application: string } | undefined,
) {
  const connections = database && (await databaseCpu(database.url, database.application))
  return {
    async read() {
      const { pid } = process()
      return {
        server: pid === undefined ? 0 : await cpuTimeOf(pid),
        database: (await connections?.time()) ?? 0,
      }
    },
    close: async () => connections?.close(),
  }
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

async function residentMegabytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

async function makeSchema(server: string) {
  const schema = `bench_${randomBytes(6).toString('hex')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`CREATE SCHEMA ${schema}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  url.searchParams.set('application_name', schema)
  return { url: url.href, application: schema, drop: () => run(`DROP SCHEMA ${schema} CASCADE`) }
}
