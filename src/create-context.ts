import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DestinationStream, type Logger, pino } from 'pino'
import { type BlobFiles, diskFiles } from './platform/blobs/blob-files.ts'
import { blobStore } from './platform/blobs/blob-store.ts'
import { type Config, ConfigError } from './config.ts'
import type { Database, DatabaseOptions } from './platform/db/database.ts'
import { latestId } from './platform/db/latest-id.ts'
import { migrate } from './platform/db/migrate.ts'
import { migrations } from './platform/db/migrations/index.ts'
import { openDatabase } from './platform/db/open-database.ts'
import { loadServerSecret } from './platform/db/server-secrets.ts'
import { writeBehind } from './platform/db/write-behind.ts'
import { openSoundFont, packagedSoundFont, type SoundFont } from './engines/audio/sound-font.ts'
import { createNotation, type Notation } from './engines/notation.ts'
import { createPictures } from './engines/pictures/pictures.ts'
import { createSounds } from './engines/sounds/sounds.ts'
import { changeFeed } from './features/library/scores/change-feed.ts'
import { readStates } from './features/library/scores/changes.store.ts'
import { exportFailures } from './features/library/scores/export-failures.ts'
import { exportFiles } from './features/library/scores/export-files.ts'
import { keptRevisions } from './features/library/scores/kept-revisions.ts'
import { pageCounts } from './features/library/scores/page-counts.ts'
import { repeatWithCredits } from './features/library/scores/write-credits.ts'
import { laneOfKind } from './platform/queue/kinds.ts'
import { jobQueue } from './platform/queue/queue.ts'
import { ttlCache } from './lib/ttl-cache.ts'
import { trustedDevices } from './auth/throttling/trusted-devices.ts'
import { passwordHashLimiter } from './auth/passwords/hash-limiter.ts'
import { type Clock, steadyClock, systemClock } from './lib/clock.ts'
import { idGenerator, timeOfId } from './lib/ids.ts'
import { smtpMailer } from './platform/mail/mailer.ts'
import { type Metrics, noMetrics } from './lib/metrics.ts'
import { presentationCache } from './lib/presentation-cache.ts'
import { sharedRuns } from './lib/shared-runs.ts'
import { redactUrls } from './lib/redaction.ts'
import { accountTokens } from './lib/account-tokens.ts'
import { linkSigner } from './lib/signed-links.ts'
import { keyedMutex } from './lib/keyed-mutex.ts'
import { readKeyFile } from './platform/secrets/key-file.ts'
import { type SecretBox, secretBox } from './platform/secrets/secret-box.ts'
import { type WebClient, webClient } from './platform/web-client/web-client.ts'
import type { Context } from './context.ts'

/** The context of operations, with a function that releases its resources. */
export interface AppContext extends Context {
  /** Migrations that were applied when the context was created. */
  readonly appliedMigrations: readonly string[]
  close(): Promise<void>
}

/** Dependencies that tests replace. */
export interface Dependencies {
  clock?: Clock
  logTo?: DestinationStream
  web?: WebClient
  metrics?: Metrics
  notation?: Notation
}

/** The memory for presented values and their JSON, in bytes. */
const presentationBytes = 64 * 1024 * 1024

const databasePath = (config: Config) => join(config.dataDir, 'partita.db')
const blobFolder = (config: Config) => join(config.dataDir, 'blobs')

/** The file of the keys that encrypt stored secrets, unless SECRETS_KEY has them. */
export const secretsFile = (config: Config) => join(config.dataDir, 'secrets.key')

/** Whether a server has run with these settings: the blob folder and, for SQLite, the database file exist. */
export function isInstalled(config: Config): boolean {
  return (
    existsSync(blobFolder(config)) && (config.databaseUrl !== undefined || existsSync(databasePath(config)))
  )
}

/**
 * Opens the database, without migrations, and the folder of large blobs. Creates both if they do not exist.
 */
export async function openStorage(
  config: Config,
  options: DatabaseOptions = {},
): Promise<{ db: Database; files: BlobFiles }> {
  const db = await openDatabase(
    { url: config.databaseUrl, path: databasePath(config) },
    { durability: config.durability, ...options },
  )
  return { db, files: await diskFiles(blobFolder(config)) }
}

/** @throws ConfigError if the file is not a sound font */
function soundFontOf({ soundFont }: Config): SoundFont {
  if (soundFont === undefined) return packagedSoundFont
  try {
    return openSoundFont(soundFont)
  } catch (error) {
    throw new ConfigError(`SOUNDFONT: ${(error as Error).message}`)
  }
}

const secretsOf = (config: Config): SecretBox =>
  secretBox(() => (config.secretsKey.length > 0 ? config.secretsKey : readKeyFile(secretsFile(config))))

/** Creates everything but the server and the worker. Migrates the database. */
export async function createContext(
  config: Config,
  {
    clock: system = systemClock,
    logTo,
    web = webClient(undefined, config.outgoingAllow),
    metrics = noMetrics,
    notation: ownNotation,
  }: Dependencies = {},
): Promise<AppContext> {
  const soundFont = soundFontOf(config)
  const notation = ownNotation ?? createNotation({ processes: config.engineProcesses, soundFont })
  const log = createLog(config, logTo)
  const logError = (error: unknown) => log.error({ err: error }, 'A callback after a commit failed')
  const { db, files } = await openStorage(config, { logError, onGroup: metrics.countGroup })
  const appliedMigrations = await migrate(db, migrations)
  const latest = await latestId(db)
  const clock = steadyClock(system, latest === undefined ? 0 : timeOfId(latest))
  const newId = idGenerator(clock, latest)
  const jobs = jobQueue(clock, newId, laneOfKind)
  const late = writeBehind(db, log)
  const pictures = createPictures()
  const sounds = createSounds(soundFont)
  const secretFor = async (purpose: string) =>
    createSecretKey(await loadServerSecret(db, purpose, () => randomBytes(32)))

  const context: AppContext = {
    config,
    db,
    blobs: blobStore(files, clock, newId),
    jobs,
    notation,
    soundFont,
    pictures,
    sounds,
    writeBehind: late,
    web,
    secrets: secretsOf(config),
    links: linkSigner(await secretFor('links'), config.publicUrl, clock),
    mailTokens: accountTokens(await secretFor('mail-links'), 'partita_mails_'),
    calendarTokens: accountTokens(await secretFor('calendars'), 'partita_calendar_'),
    mailer: config.smtpUrl ? smtpMailer(config.smtpUrl, config.mailFrom) : undefined,
    presentationCache: presentationCache(presentationBytes),
    keyedMutex: keyedMutex(),
    sharedRuns: sharedRuns(),
    failedExports: exportFailures(),
    pageCounts: pageCounts(),
    exportFiles: exportFiles(),
    changeFeed: changeFeed((ids) => readStates(db.read, ids), log),
    keptRevisions: keptRevisions(),
    auth: {
      actors: ttlCache({ groupOf: (actor) => actor.id }),
      attemptSecret: await secretFor('attempts'),
      passwordHashLimiter: passwordHashLimiter(),
      trustedDevices: trustedDevices(await secretFor('trusted-devices'), clock),
    },
    clock,
    systemClock: system,
    newId,
    log,
    metrics,
    appliedMigrations,
    transaction: (work, durability) => repeatWithCredits(context, () => db.transaction(work, durability)),
    async close() {
      await Promise.all([notation.close(), pictures.close(), sounds.close()])
      context.mailer?.close()
      await late.close()
      await db.close()
    },
  }
  return context
}

/**
 * Logs lines of JSON to standard error, because commands write their results to standard output. Errors quote URLs in their
 * messages and stacks, so each line is redacted as a whole.
 */
function createLog(config: Config, destination: DestinationStream = standardError()): Logger {
  return pino({ level: config.logLevel, base: null, hooks: { streamWrite: redactUrls } }, destination)
}

/** If standard error cannot be written, for example because its disk is full, lines are buffered up to 1 MiB and then lost. */
function standardError(): DestinationStream {
  const stream = pino.destination({
    fd: 2,
    // Each write is a task of another thread, which costs more than a line. The maximum is below 16 KiB.
    minLength: 16_000,
    maxLength: 1_048_576,
    periodicFlush: 500,
    sync: false,
  })
  let isWritable = true
  stream.on('write', () => {
    isWritable = true
  })
  stream.on('error', () => {
    isWritable = false
  })
  // At the end of the process, the original `flushSync` would retry forever.
  const { flushSync } = stream
  stream.flushSync = () => {
    if (isWritable) flushSync.call(stream)
  }
  return stream
}
