import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/create-context.ts'
import { formatBytes } from '../src/lib/byte-size.ts'
import { findPostgres } from '../test/support/postgres-server.ts'
import { musicXml } from '../test/support/scores.ts'
import { incompressibleXml } from '../test/support/stored-bytes.ts'
import { type Partita, startPartita } from './servers.ts'

const mebibyte = 1024 * 1024
/** Small enough that clients reach them in a minute. */
const quotas = { account: 20 * mebibyte, exports: 10 * mebibyte }

/**
 * Prints how many bytes are stored after an account and an anonymous client have written all the time. The account creates
 * scores, and the client exports public scores. Fails if the bytes exceed the quotas, or if another account was refused.
 */
export async function benchStorage(seconds: number): Promise<void> {
  const databases = { SQLite: undefined, PostgreSQL: await findPostgres() }
  const rows: Record<string, object> = {}
  for (const [database, url] of Object.entries(databases)) {
    if (database === 'PostgreSQL' && !url) console.log('PostgreSQL: no server here, so not measured')
    else rows[database] = await fillStorage(url, seconds)
  }
  const sizes = `${formatBytes(quotas.account)} for each account and ${formatBytes(quotas.exports)} for exports`
  console.log(`\nStored in ${seconds} s, with ${sizes}`)
  console.table(rows)
}

async function fillStorage(url: string | undefined, seconds: number): Promise<object> {
  const partita = await startPartita(url, {
    ACCOUNT_STORAGE: String(quotas.account),
    EXPORT_CACHE: String(quotas.exports),
  })
  try {
    const [writer, other] = [await partita.createAccount('writer'), await partita.createAccount('other')]
    const scores = await Promise.all(
      Array.from({ length: 20 }, (_, n) => createScore(partita, partita.token, publicPiece(n))),
    )
    const counts = { created: 0, refused: 0, exported: 0, 'others created': 0, 'others refused': 0 }
    const endsAt = Date.now() + seconds * 1000
    const repeat = async (work: () => Promise<keyof typeof counts>) => {
      while (Date.now() < endsAt) counts[await work()]++
    }
    const write = () =>
      repeat(async () => {
        const data = incompressibleXml(500_000)
        return (await createScore(partita, writer, { data })) ? 'created' : 'refused'
      })
    let requested = 0
    const exportAnonymously = () =>
      repeat(async () => {
        const score = scores[requested % scores.length]
        const format = ['mp3', 'pdf', 'svg', 'midi', 'mxl'][Math.floor(requested++ / scores.length) % 5]
        const path = `/v2/scores/${score}/revisions/last/${format}`
        await (await partita.fetch('GET', path, undefined, '')).arrayBuffer()
        return 'exported'
      })
    const writeAsOther = () =>
      repeat(async () => {
        await delay(1000)
        return (await createScore(partita, other, { data: musicXml() })) ? 'others created' : 'others refused'
      })
    await Promise.all([write(), write(), write(), exportAnonymously(), exportAnonymously(), writeAsOther()])
    const { counted, exports, all } = await storedBytes(partita)
    const isWithin = Math.max(...counted) <= quotas.account && exports <= quotas.exports
    // Every blob belongs to an account or is an export.
    const isComplete = all <= counted.reduce((sum, bytes) => sum + bytes, exports)
    if (!isWithin || !isComplete || counts['others refused'] > 0 || counts.refused === 0) process.exitCode = 1
    return {
      ...counts,
      'largest account': formatBytes(Math.max(...counted)),
      exports: formatBytes(exports),
      'all blobs': formatBytes(all),
    }
  } finally {
    await partita.stop()
  }
}

const publicPiece = (n: number) => ({
  data: musicXml({ title: `Piece ${n}`, measures: Array.from({ length: 100 }, () => 'C4 E4 G4 E4') }),
  privacy: 'public',
})

/** Returns the id of the new score; undefined if a quota is exhausted. */
async function createScore(partita: Partita, token: string, body: object): Promise<string | undefined> {
  const response = await partita.fetch('POST', '/v2/scores', body, token)
  const { id, code } = (await response.json()) as { id?: string; code?: string }
  if (!response.ok && response.status !== 402) throw new Error(`A score was answered ${code}`)
  return id
}

/** Returns what each account counts, what the cache of exports counts, and the sizes of all blobs. */
async function storedBytes({
  storage,
}: Partita): Promise<{ counted: number[]; exports: number; all: number }> {
  const ctx = await createContext(readConfig({ ...storage, logLevel: 'silent' }, {}))
  try {
    const { read } = ctx.db
    const accounts = await read.selectFrom('user_storage').select('bytes').execute()
    const cache = await read.selectFrom('export_cache').select('bytes').executeTakeFirst()
    const inRows = await read
      .selectFrom('blobs')
      .select(sql<number | null>`cast(sum(length(content)) as bigint)`.as('bytes'))
      .executeTakeFirst()
    return {
      counted: accounts.map(({ bytes }) => bytes),
      exports: cache?.bytes ?? 0,
      all: (inRows?.bytes ?? 0) + (await bytesOfFiles(join(storage.dataDir, 'blobs'))),
    }
  } finally {
    await ctx.close()
  }
}

async function bytesOfFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
