import { pino } from 'pino'
import { beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import type { Handler, QueueContext } from '../../src/platform/queue/attempt.ts'
import type { JobRun } from '../../src/platform/queue/job.ts'
import { type JobQueue, type JobStatus, jobQueue, type NewJob } from '../../src/platform/queue/queue.ts'
import { jobWorker, type Worker } from '../../src/platform/queue/worker.ts'
import { idGenerator } from '../../src/lib/ids.ts'
import { type TestClock, testClock } from './clock.ts'
import type { TestDatabases } from './databases.ts'
import type { LogLines } from './log-lines.ts'

/** The only kind of job in these tests, which engraves a page. */
interface Payloads {
  engrave: { page: number }
}
type Engraving = Payloads['engrave']
export type Engrave = Handler<QueueContext>['handle']

interface EngraverSettings extends Partial<Handler<QueueContext>> {
  on?: Database
  kind?: string
  pollInterval?: number
  logTo?: LogLines
}

/** A job queue that is empty at the start of every test. */
export interface TestQueue {
  readonly clock: TestClock
  readonly jobs: JobQueue<Payloads>
  readonly db: Database
  /** The same database, opened with the connections of another process. */
  readonly otherDb: Database
  /** Creates a worker that runs two jobs at a time. */
  workerOf(engrave: Engrave, settings?: EngraverSettings): Worker
  /** Enqueues a job for a page. Returns its id. */
  ask(page: number, rest?: Partial<NewJob<Engraving, 'engrave'>>): Promise<string>
  find(id: string): Promise<JobStatus | undefined>
}

export function useJobQueue(databases: TestDatabases): TestQueue {
  const clock = testClock()
  const newId = idGenerator(clock)
  const jobs = jobQueue<Payloads>(clock, newId)
  let db: Database
  let otherDb: Database

  beforeAll(async () => {
    const location = await databases.migrated()
    db = await databases.openAgain(location)
    otherDb = await databases.openAgain(location)
  })
  beforeEach(async () => {
    jobs.onEnqueue(() => {})
    await db.transaction((tx) => tx.deleteFrom('jobs').execute())
  })

  return {
    clock,
    jobs,
    get db() {
      return db
    },
    get otherDb() {
      return otherDb
    },
    workerOf(engrave, { on = db, kind = 'engrave', pollInterval = 1, logTo, ...rest } = {}) {
      const log = logTo ? pino({}, logTo) : pino({ level: 'silent' })
      const ctx = { db: on, jobs, clock, newId, log }
      return jobWorker(
        ctx,
        { [kind]: { ...rest, handle: engrave } },
        { concurrency: 2, pollInterval, grace: 0 },
      )
    },
    ask: (page, rest = {}) =>
      db.transaction((tx) => jobs.enqueue(tx, { kind: 'engrave', payload: { page }, ...rest })),
    find: (id) => jobs.find(db.read, id),
  }
}

/** Polls the queue and waits until all due jobs have run. */
export async function runDue(worker: Worker): Promise<void> {
  await worker.poll()
  await worker.idle()
}

/** Creates a handler that records its pages. */
export function recordingHandler() {
  const pages: number[] = []
  const engrave: Engrave = async (_ctx, { page }: Engraving) => {
    pages.push(page)
  }
  return { engrave, pages }
}

/** Creates a handler that records its pages and does not finish until the test tells it to. */
export function heldHandler() {
  const pages: number[] = []
  const runs: JobRun[] = []
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const engrave = async (_ctx: QueueContext, { page }: Engraving, run: JobRun) => {
    pages.push(page)
    runs.push(run)
    begin()
    await released
  }
  return { engrave, pages, runs, started, release }
}
