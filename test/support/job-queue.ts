import { pino } from 'pino'
import { beforeAll, beforeEach } from 'vitest'
import type { Database } from '../../src/platform/db/database.ts'
import type { Handler, QueueContext } from '../../src/platform/queue/attempt.ts'
import type { JobRun } from '../../src/platform/queue/job.ts'
import { type JobQueue, type JobStatus, jobQueue, type NewJob } from '../../src/platform/queue/queue.ts'
import { slotsOf } from '../../src/platform/queue/lanes.ts'
import { jobWorker, type Worker } from '../../src/platform/queue/worker.ts'
import { accountOf } from '../../src/features/people/users/accounts.ts'
import { insertUser } from '../../src/features/people/users/store.ts'
import { idGenerator } from '../../src/lib/ids.ts'
import { type TestClock, testClock } from './clock.ts'
import type { TestDatabases } from './databases.ts'
import type { LogLines } from './log-lines.ts'

/** The kinds of jobs in these tests, which engrave pages in different lanes. */
interface Payloads {
  engrave: Engraving
  mail: Engraving
  export: Engraving
}
interface Engraving {
  page: number
  user?: string
}
export type Engrave = Handler<QueueContext>['handle']

interface EngraverSettings extends Partial<Handler<QueueContext>> {
  on?: Database
  kind?: string
  slots?: number
  /** Handlers of other kinds. */
  others?: Record<string, Handler<QueueContext>>
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
  /** Creates a worker that runs two jobs of an account at a time: a third slot is for others. */
  workerOf(engrave: Engrave, settings?: EngraverSettings): Worker
  /** Creates users. Returns their ids in ascending order. */
  users(count: number): Promise<string[]>
  /** Enqueues a job for a page. Returns its id. */
  ask(page: number, rest?: Partial<NewJob<Engraving, keyof Payloads>>): Promise<string>
  find(id: string): Promise<JobStatus | undefined>
}

export function useJobQueue(databases: TestDatabases): TestQueue {
  const clock = testClock()
  const newId = idGenerator(clock)
  const jobs = jobQueue<Payloads>(clock, newId, { engrave: 'interactive', mail: 'mail', export: 'export' })
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
    workerOf(
      engrave,
      { on = db, kind = 'engrave', others, slots = 3, pollInterval = 1, logTo, ...rest } = {},
    ) {
      const log = logTo ? pino({}, logTo) : pino({ level: 'silent' })
      const ctx = { db: on, jobs, clock, newId, log }
      return jobWorker(
        ctx,
        { ...others, [kind]: { ...rest, handle: engrave } },
        { slots: { ...slotsOf(slots), interactive: slots }, pollInterval, grace: 0 },
      )
    },
    async users(count) {
      const ids = Array.from({ length: count }, () => newId())
      await db.transaction(async (tx) => {
        for (const id of ids)
          await insertUser(tx, accountOf({ username: `user-${id}` }, undefined, id, clock.now()))
      })
      return ids
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
