import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DestinationStream, type Logger, pino } from 'pino'
import { type BlobFiles, diskFiles } from './blobs/blob-files.ts'
import { blobStore } from './blobs/blob-store.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { migrations } from './db/migrations/index.ts'
import { openDatabase } from './db/open-database.ts'
import { loadServerSecret } from './db/server-secrets.ts'
import { writeBehind } from './db/write-behind.ts'
import { createNotation } from './engines/notation.ts'
import { jobQueue } from './jobs/jobs.ts'
import { beliefs } from './lib/beliefs.ts'
import { browserMarks } from './lib/browser-marks.ts'
import { passwordPlaces } from './lib/password-places.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { idGenerator } from './lib/ids.ts'
import { smtpMailer } from './lib/mailer.ts'
import { recentValues } from './lib/recent.ts'
import { linkSigner } from './lib/signed-links.ts'
import { takingTurns } from './lib/turns.ts'
import { type WebClient, webClient } from './lib/web-client.ts'
import type { Context } from './operation.ts'

/** The context of operations, and how to put it away. */
export interface AppContext extends Context {
  /** Migrations that were applied while it was made. */
  readonly appliedMigrations: readonly string[]
  close(): Promise<void>
}

/** What tests put in the place of the real thing. */
export interface Surroundings {
  clock?: Clock
  logTo?: DestinationStream
  web?: WebClient
}

const databasePath = (config: Config) => join(config.dataDir, 'partita.db')
const blobFolder = (config: Config) => join(config.dataDir, 'blobs')

/** Whether a server has run with these settings: its folders and files are there, wherever they are files. */
export function isInstalled(config: Config): boolean {
  return existsSync(blobFolder(config)) && (config.databaseUrl !== undefined || existsSync(databasePath(config)))
}

/**
 * Where an installation keeps what it has: the database as it stands, and the folder of the large blobs. Both are made
 * where there are none.
 */
export async function openStorage(config: Config): Promise<{ db: Database; files: BlobFiles }> {
  const db = await openDatabase({ url: config.databaseUrl, path: databasePath(config) })
  return { db, files: await diskFiles(blobFolder(config)) }
}

/** Everything but the server and the worker, ready to be used. The database is brought up to date on the way. */
export async function createContext(
  config: Config,
  { clock = systemClock, logTo, web = webClient() }: Surroundings = {},
): Promise<AppContext> {
  const log = createLog(config, logTo)
  const newId = idGenerator(clock)
  const { db: opened, files } = await openStorage(config)
  const appliedMigrations = await migrate(opened, migrations)
  const jobs = jobQueue(clock, newId)
  const db: Database = jobs.announcing(opened)
  const notation = createNotation({ processes: config.engineProcesses })
  const late = writeBehind(db, log)
  const secretFor = async (what: string) => createSecretKey(await loadServerSecret(db, what, () => randomBytes(32)))

  return {
    config,
    db,
    blobs: blobStore(files, clock, newId),
    jobs,
    notation,
    writeBehind: late,
    web,
    links: linkSigner(await secretFor('links'), config.publicUrl, clock),
    browserMarks: browserMarks(await secretFor('browser-marks'), clock),
    attemptSecret: await secretFor('attempts'),
    mailer: config.smtpUrl ? smtpMailer(config.smtpUrl, config.mailFrom) : undefined,
    recent: recentValues(20_000),
    inTurn: takingTurns(),
    passwordPlaces: passwordPlaces(),
    actors: beliefs(),
    clock,
    newId,
    log,
    appliedMigrations,
    transaction: (work, durability) => db.transaction(work, durability),
    async close() {
      await notation.close()
      await late.close()
      await db.close()
    },
  }
}

/** Lines of JSON on standard error; standard output belongs to the results of commands. */
function createLog(config: Config, destination: DestinationStream = standardError()): Logger {
  return pino({ level: config.logLevel, base: null }, destination)
}

/** Where it cannot be written, its disk being full, say, lines are kept for a while and then lost; nothing else is. */
function standardError(): DestinationStream {
  const stream = pino.destination({ fd: 2, minLength: 4096, maxLength: 1_048_576, periodicFlush: 500, sync: false })
  let isWritable = true
  stream.on('write', () => {
    isWritable = true
  })
  stream.on('error', () => {
    isWritable = false
  })
  // When the process ends, pino's own would try for ever.
  const { flushSync } = stream
  stream.flushSync = () => {
    if (isWritable) flushSync.call(stream)
  }
  return stream
}
