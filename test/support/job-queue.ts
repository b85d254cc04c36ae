import { pino } from 'pino'
import { beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { Handler, QueueContext } from '../../src/jobs/attempt.ts'
import type { JobRun } from '../../src/jobs/job.ts'
import { type Jobs, type JobStatus, jobQueue, type NewJob } from '../../src/jobs/jobs.ts'
import { jobWorker, type Worker } from '../../src/jobs/worker.ts'
import { idGenerator } from '../../src/lib/ids.ts'
import { type TestClock, testClock } from './clock.ts'
import type { TestDatabases } from './databases.ts'
import type { LogLines } from './log-lines.ts'

/** The one kind of job of these tests: to engrave a page. */
interface Payloads {
  engrave: { page: number }
}
type Engraving = Payloads['engrave']
export type Engrave = Handler<QueueContext>['handle']

interface EngraverSettings extends Partial<Handler<QueueContext>> {
  on?: Database
  kind?: string
  poll?: number
  logTo?: LogLines
}

/** A job queue that is empty at the start of every test. */
export interface TestQueue {
  readonly clock: TestClock
  readonly jobs: Jobs<Payloads>
  readonly db: Database
  /** The same database as another process sees it. */
  readonly elsewhere: Database
  /** A worker that does two jobs at a time. */
  workerOf(engrave: Engrave, settings?: EngraverSettings): Worker
  /** Asks for a page; the id of the job. */
  ask(page: number, rest?: Partial<NewJob<Engraving, 'engrave'>>): Promise<string>
  find(id: string): Promise<JobStatus | undefined>
}

export function useJobQueue(databases: TestDatabases): TestQueue {
  const clock = testClock()
  const newId = idGenerator(clock)
  const jobs = jobQueue<Payloads>(clock, newId)
  let db: Database
  let elsewhere: Database

  beforeAll(async () => {
    const location = await databases.migrated()
    db = jobs.announcing(await databases.openAgain(location))
    elsewhere = await databases.openAgain(location)
  })
  beforeEach(async () => {
    jobs.onWork(() => {})
    await db.transaction((tx) => tx.deleteFrom('jobs').execute())
  })

  return {
    clock,
    jobs,
    get db() {
      return db
    },
    get elsewhere() {
      return elsewhere
    },
    workerOf(engrave, { on = db, kind = 'engrave', poll = 1, logTo, ...rest } = {}) {
      const log = logTo ? pino({}, logTo) : pino({ level: 'silent' })
      const ctx = { db: on, jobs, clock, newId, log }
      return jobWorker(ctx, { [kind]: { ...rest, handle: engrave } }, { concurrency: 2, poll, grace: 0 })
    },
    ask: (page, rest = {}) => db.transaction((tx) => jobs.enqueue(tx, { kind: 'engrave', payload: { page }, ...rest })),
    find: (id) => jobs.find(db.read, id),
  }
}

/** Looks at the queue and lets everything run that is due. */
export async function runDue(worker: Worker): Promise<void> {
  await worker.look()
  await worker.idle()
}

/** A handler that notes its pages. */
export function noting() {
  const pages: number[] = []
  const engrave: Engrave = async (_ctx, { page }: Engraving) => {
    pages.push(page)
  }
  return { engrave, pages }
}

/** A handler that notes its pages and runs, and ends when it is told to. */
export function held() {
  const pages: number[] = []
  const runs: JobRun[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const engrave = async (_ctx: QueueContext, { page }: Engraving, run: JobRun) => {
    pages.push(page)
    runs.push(run)
    begin()
    await released
  }
  return { engrave, pages, runs, begun, release }
}
