import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** A server in a process of its own, as people run it, with an account on it. */
export interface Partita extends Running {
  readonly token: string
  /** Resident memory once started and before it was asked anything, in MB. */
  readonly idleMegabytes: number
  fetch(method: string, path: string, body?: unknown): Promise<Response>
  post(path: string, body: unknown): Promise<{ id: string }>
}

/** @param databaseUrl a PostgreSQL server, on which it gets a schema of its own; SQLite where there is none */
export async function startPartita(databaseUrl?: string): Promise<Partita> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partita-bench-'))
  const schema = databaseUrl ? await makeSchema(databaseUrl) : undefined
  const port = await freePort()
  const environment = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: schema?.url ?? '',
    RATE_LIMIT_AUTHENTICATED: '1000000000',
    RATE_LIMIT_ANONYMOUS: '1000000000',
  }
  const command = (...words: string[]) =>
    spawn(process.execPath, ['bin/partita.js', ...words], {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const output = async (...words: string[]) => {
    const child = command(...words)
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    await once(child, 'close')
    return JSON.parse(text)
  }

  const server = command('serve')
  const url = `http://127.0.0.1:${port}`
  await untilReady(`${url}/readyz`)
  await output('user', 'create', '--username', 'ada', '--password', 'a long one', '--json')
  const { token } = await output('token', 'create', '--user', 'ada', '--json')
  const idleMegabytes = await residentMegabytes(server)

  const request = (method: string, path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    url,
    token,
    idleMegabytes,
    fetch: request,
    async post(path, body) {
      const response = await request('POST', `/v2${path}`, body)
      if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
      return (await response.json()) as { id: string }
    },
    async stop() {
      await stopProcess(server)
      await schema?.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The least that node:http can do: read the request and send these bytes. */
export async function startBare(contentType: string, bytes: Uint8Array): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(root, 'bench/bare.ts'), String(port), contentType], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(bytes)
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return { url, stop: () => stopProcess(child) }
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetch(url).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} does not answer`)
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
  return { url: url.href, drop: () => run(`DROP SCHEMA ${schema} CASCADE`) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
