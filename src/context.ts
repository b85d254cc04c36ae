import type { Logger } from 'pino'
import type { AuthContext } from './auth/auth-context.ts'
import type { Config } from './config.ts'
import type { ChangeFeed } from './features/library/scores/change-feed.ts'
import type { ExportFailures } from './features/library/scores/export-failures.ts'
import type { ExportFiles } from './features/library/scores/export-files.ts'
import type { KeptRevisions } from './features/library/scores/kept-revisions.ts'
import type { PageCounts } from './features/library/scores/page-counts.ts'
import type { AccountTokens } from './lib/account-tokens.ts'
import type { SoundFont } from './engines/audio/sound-font.ts'
import type { Notation } from './engines/notation.ts'
import type { Pictures } from './engines/pictures/pictures.ts'
import type { Sounds } from './engines/sounds/sounds.ts'
import type { Clock } from './lib/clock.ts'
import type { NewId } from './lib/ids.ts'
import type { Metrics } from './lib/metrics.ts'
import type { KeyedMutex } from './lib/keyed-mutex.ts'
import type { PresentationCache } from './lib/presentation-cache.ts'
import type { SharedRuns } from './lib/shared-runs.ts'
import type { LinkSigner } from './lib/signed-links.ts'
import type { BlobStore } from './platform/blobs/blob-store.ts'
import type { Database, Durability, Transaction } from './platform/db/database.ts'
import type { WriteBehind } from './platform/db/write-behind.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { JobQueue } from './platform/queue/queue.ts'
import type { SecretBox } from './platform/secrets/secret-box.ts'
import type { WebClient } from './platform/web-client/web-client.ts'

/** Everything that operations, jobs and commands work with. create-context.ts builds it once per process. */
export interface Context {
  readonly config: Config
  readonly db: Database
  readonly blobs: BlobStore
  readonly jobs: JobQueue
  readonly notation: Notation
  readonly soundFont: SoundFont
  readonly pictures: Pictures
  readonly sounds: Sounds
  readonly writeBehind: WriteBehind
  /** Signs links under which anyone may download one file for a limited time. */
  readonly links: LinkSigner
  /**
   * The tokens of the links with which the receivers of mails about notifications choose how many they get. The version is the key of
   * the address.
   */
  readonly mailTokens: AccountTokens
  /** The tokens of the addresses of calendars. The version is stored for each account. */
  readonly calendarTokens: AccountTokens
  /** Undefined if no SMTP server is configured. */
  readonly mailer: Mailer | undefined
  readonly web: WebClient
  /** Encrypts the stored secrets of webhooks, authenticator apps and sign-in providers. */
  readonly secrets: SecretBox
  /** Runs work of one key one at a time within this process. */
  readonly keyedMutex: KeyedMutex
  /** Runs work once for all who ask for it at the same time. */
  readonly sharedRuns: SharedRuns
  readonly failedExports: ExportFailures
  readonly pageCounts: PageCounts
  readonly exportFiles: ExportFiles
  /** Tells the readers who have a score open what has changed. */
  readonly changeFeed: ChangeFeed
  readonly keptRevisions: KeptRevisions
  readonly presentationCache: PresentationCache
  readonly auth: AuthContext
  /** The time of changes, which does not move back by up to an hour. */
  readonly clock: Clock
  /** The time of the system, for what other devices compute by it. */
  readonly systemClock: Clock
  readonly newId: NewId
  readonly log: Logger
  readonly metrics: Metrics
  /**
   * Runs a write transaction. It is durable unless `durability` says otherwise; see Database.transaction. If it needs the last revision of
   * a score with pending credits, these are written, and it runs again (scores/write-credits.ts).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, durability?: Durability): Promise<T>
}
