import pino from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachDatabase } from '../../test/support/databases.ts'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { fail } from '../errors.ts'
import { idGenerator } from '../lib/ids.ts'
import type { Handler, QueueContext } from './attempt.ts'
import type { JobRun } from './job.ts'
import { type Jobs, jobQueue, type NewJob } from './jobs.ts'
import { jobWorker, type Worker } from './worker.ts'

interface Payloads {
  engrave: { page: number }
}
type Engrave = Handler<QueueContext>['handle']

const minute = 60_000
const never = new Promise<void>(() => {})

describeEachDatabase('the job queue', (databases) => {
  let now: number
  let opened: Database
  /** The same database as another process sees it. */
  let elsewhere: Database
  let db: Database
  let jobs: Jobs<Payloads>
  const clock = { now: () => now }
  const newId = idGenerator(clock)

  beforeAll(async () => {
    const location = await databases.location()
    opened = await databases.openAgain(location)
    await migrate(opened, migrations)
    elsewhere = await databases.openAgain(location)
  })
  beforeEach(async () => {
    now = 1_800_000_000_000
    jobs = jobQueue<Payloads>(clock, newId)
    db = jobs.announcing(opened)
    await opened.transaction((tx) => tx.deleteFrom('jobs').execute())
  })

  function workerOf(
    engrave: Engrave,
    settings: Partial<Handler<QueueContext>> & { on?: Database; poll?: number } = {},
  ): Worker {
    const { on = db, poll = 1, ...rest } = settings
    const ctx = { db: on, jobs, clock, newId, log: pino({ level: 'silent' }) }
    return jobWorker(ctx, { engrave: { ...rest, handle: engrave } }, { concurrency: 2, poll, grace: 0 })
  }
  function ask(page: number, rest: Partial<NewJob<Payloads['engrave'], 'engrave'>> = {}): Promise<string> {
    return db.transaction((tx) => jobs.enqueue(tx, { kind: 'engrave', payload: { page }, ...rest }))
  }
  const find = (id: string) => jobs.find(db.read, id)

  /** Looks at the queue and lets everything run that is due. */
  async function runDue(worker: Worker): Promise<void> {
    await worker.look()
    await worker.idle()
  }

  /** A handler that notes its pages, and ends when it is told to. */
  function held() {
    const pages: number[] = []
    const runs: JobRun[] = []
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const engrave = async (_ctx: QueueContext, { page }: Payloads['engrave'], run: JobRun) => {
      pages.push(page)
      runs.push(run)
      begin()
      await released
    }
    return { engrave, pages, runs, begun, release }
  }

  describe('asked for work', () => {
    it('does it once, and says so', async () => {
      const pages: number[] = []
      const worker = workerOf(async (_ctx, { page }: Payloads['engrave']) => {
        pages.push(page)
      })
      const id = await ask(7)
      expect(await find(id)).toMatchObject({ kind: 'engrave', state: 'created', percent: 0, createdAt: now })
      await runDue(worker)
      await runDue(worker)
      expect(pages).toEqual([7])
      expect(await find(id)).toMatchObject({ state: 'done', percent: 100, doneAt: now, errors: [] })
    })

    it('knows nothing of it when the transaction fails', async () => {
      const failing = db.transaction(async (tx) => {
        await jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await db.read.selectFrom('jobs').select('id').execute()).toEqual([])
    })

    it('says so at once after the commit, and not after other commits', async () => {
      let calls = 0
      jobs.onWork(() => {
        calls += 1
      })
      await db.transaction(async (tx) => {
        await tx.deleteFrom('jobs').execute()
      })
      expect(calls).toBe(0)
      await db.transaction(async (tx) => {
        await jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } })
        expect(calls).toBe(0)
      })
      expect(calls).toBe(1)
    })

    it('begins at once after the commit where its worker was started', async () => {
      const { engrave, begun, release } = held()
      const worker = workerOf(engrave, { poll: 60 * minute })
      await worker.start()
      await ask(1)
      await begun
      release()
      await worker.stop()
    })

    it('finds by itself what another process asked for', async () => {
      const { engrave, begun, release } = held()
      const worker = workerOf(engrave)
      await worker.start()
      await elsewhere.transaction((tx) => jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } }))
      await begun
      release()
      await worker.stop()
    })

    it('begins the oldest first, and no more at a time than it was set to', async () => {
      const { engrave, pages, release } = held()
      const worker = workerOf(engrave)
      for (const page of [1, 2, 3, 4]) {
        now += 1
        await ask(page)
      }
      await worker.look()
      expect(pages.sort()).toEqual([1, 2])
      release()
      await worker.idle()
      expect(pages.sort()).toEqual([1, 2, 3, 4])
    })

    it('waits for the time it was asked for', async () => {
      const { engrave, pages, release } = held()
      release()
      const worker = workerOf(engrave)
      await ask(1, { runAt: now + minute })
      await runDue(worker)
      expect(pages).toEqual([])
      now += minute
      await runDue(worker)
      expect(pages).toEqual([1])
    })

    it('leaves kinds that it does not know to others', async () => {
      const id = await ask(1)
      const ctx = { db, jobs, clock, newId, log: pino({ level: 'silent' }) }
      await runDue(jobWorker(ctx, { unrelated: { handle: async () => {} } }, { concurrency: 2 }))
      expect(await find(id)).toMatchObject({ state: 'created' })
    })
  })

  describe('asked twice under one key', () => {
    it('has one job that waits, at the earlier of both times', async () => {
      const first = await ask(1, { key: 'score', runAt: now + minute })
      expect(await ask(1, { key: 'score', runAt: now + 2 * minute })).toBe(first)
      expect(await ask(1, { key: 'score', runAt: now + 1 })).toBe(first)
      expect(await ask(1, { key: 'other' })).not.toBe(first)
      const row = await db.read.selectFrom('jobs').select('due_at').where('id', '=', first).executeTakeFirst()
      expect(row?.due_at).toBe(now + 1)
    })

    it('has one job that waits when both asked at the same time', async () => {
      const ids = await Promise.all([1, 2, 3, 4].map((page) => ask(page, { key: 'score' })))
      expect(new Set(ids).size).toBe(1)
    })

    it('has another job after the first one began, because it may have missed what is new', async () => {
      const { engrave, release } = held()
      const worker = workerOf(engrave)
      const first = await ask(1, { key: 'score' })
      await worker.look()
      const second = await ask(2, { key: 'score' })
      expect(second).not.toBe(first)
      release()
      await worker.idle()
      expect(await find(second)).toMatchObject({ state: 'done' })
    })

    it('lets the first one fail and wait beside the second', async () => {
      const { engrave, release } = held()
      const worker = workerOf(async (ctx, payload: never, run) => {
        await engrave(ctx, payload, run)
        throw new Error('out of ink')
      })
      const first = await ask(1, { key: 'score' })
      await worker.look()
      const second = await ask(2, { key: 'score', runAt: now + minute })
      release()
      await worker.idle()
      expect(await find(first)).toMatchObject({ state: 'blocked' })
      expect(await find(second)).toMatchObject({ state: 'created' })
    })
  })

  describe('with two workers', () => {
    it('never runs a job twice at a time', async () => {
      const pages: number[] = []
      const engrave: Engrave = async (_ctx, { page }: Payloads['engrave']) => {
        pages.push(page)
      }
      const workers = [workerOf(engrave), workerOf(engrave, { on: elsewhere })]
      const asked = Array.from({ length: 40 }, (_, page) => page)
      await db.transaction(async (tx) => {
        for (const page of asked) await jobs.enqueue(tx, { kind: 'engrave', payload: { page } })
      })
      await Promise.all(workers.map(runDue))
      await Promise.all(workers.map(runDue))
      expect(pages.toSorted((a, b) => a - b)).toEqual(asked)
    })

    it('looks further when the other one was quicker', async () => {
      const pages: number[] = []
      const engrave: Engrave = async (_ctx, { page }: Payloads['engrave']) => {
        pages.push(page)
      }
      const quicker = held()
      const other = workerOf(quicker.engrave)
      let first = true
      const slow: Database = {
        ...db,
        async transaction(work) {
          if (first) {
            first = false
            await other.look()
          }
          return db.transaction(work)
        },
      }
      for (const page of [1, 2, 3]) {
        now += 1
        await ask(page)
      }
      await runDue(workerOf(engrave, { on: slow }))
      expect(quicker.pages.sort()).toEqual([1, 2])
      expect(pages).toEqual([3])
      quicker.release()
      await other.idle()
    })

    it('takes over a job whose worker is gone, after its lease', async () => {
      const id = await ask(1)
      await workerOf(() => never).look()
      const { engrave, runs, release } = held()
      release()
      const other = workerOf(engrave, { on: elsewhere })
      now += minute - 1
      await runDue(other)
      expect(runs).toEqual([])
      now += 1
      await runDue(other)
      expect(runs).toMatchObject([{ id, attempt: 2 }])
      expect(await find(id)).toMatchObject({ state: 'done' })
    })

    it('leaves a job to its worker as long as that gives signs of life', async () => {
      const { engrave, pages, release } = held()
      const worker = workerOf(engrave)
      const other = workerOf(engrave, { on: elsewhere })
      await ask(1)
      await worker.look()
      for (let passed = 0; passed < 3 * minute; passed += minute / 2) {
        now += minute / 2
        await worker.look()
        await other.look()
      }
      expect(pages).toEqual([1])
      release()
      await worker.idle()
    })

    it('tells the first one that it has lost the job, and takes no word from it any more', async () => {
      const first = held()
      const worker = workerOf(first.engrave)
      const id = await ask(1)
      await worker.look()
      now += minute
      const second = held()
      const other = workerOf(second.engrave, { on: elsewhere })
      await other.look()
      await worker.look()
      expect(first.runs[0]?.signal.aborted).toBe(true)
      first.release()
      await worker.idle()
      expect(await find(id)).toMatchObject({ state: 'doing' })
      second.release()
      await other.idle()
      expect(await find(id)).toMatchObject({ state: 'done' })
    })

    it('gives a job up that took its process down at every try', async () => {
      const id = await ask(1)
      for (let attempt = 1; attempt <= 3; attempt++) {
        await workerOf(() => never, { maxAttempts: 3 }).look()
        now += minute
      }
      const { engrave, pages } = held()
      await runDue(workerOf(engrave, { maxAttempts: 3 }))
      expect(pages).toEqual([])
      expect(await find(id)).toMatchObject({
        state: 'error',
        doneAt: now,
        errors: [{ code: 'INTERNAL_ERROR', message: 'The process that did this work ended too often.' }],
      })
    })
  })

  describe('after an error', () => {
    it('tries again, later each time, and then gives up', async () => {
      const attempts: number[] = []
      const worker = workerOf(
        async (_ctx, _payload, { attempt }) => {
          attempts.push(attempt)
          throw new Error('secret detail')
        },
        { maxAttempts: 3 },
      )
      const id = await ask(1)
      await runDue(worker)
      expect(await find(id)).toMatchObject({ state: 'blocked', doneAt: undefined })
      await runDue(worker)
      expect(attempts).toEqual([1])
      now += 5000
      await runDue(worker)
      now += 20_000
      await runDue(worker)
      expect(attempts).toEqual([1, 2, 3])
      const job = await find(id)
      expect(job).toMatchObject({ state: 'error', doneAt: now })
      expect(job?.errors.map(({ code }) => code)).toEqual(['INTERNAL_ERROR', 'INTERNAL_ERROR', 'INTERNAL_ERROR'])
      expect(JSON.stringify(job)).not.toContain('secret')
    })

    it('is done when a later try succeeds', async () => {
      const worker = workerOf(async (_ctx, _payload, { attempt }) => {
        if (attempt === 1) fail('ENGINE_UNAVAILABLE')
      })
      const id = await ask(1)
      await runDue(worker)
      now += 5000
      await runDue(worker)
      expect(await find(id)).toMatchObject({ state: 'done', errors: [{ code: 'ENGINE_UNAVAILABLE' }] })
    })

    it("does not try again what is the caller's mistake", async () => {
      const worker = workerOf(async () => fail('INVALID_PARAMETER', { message: 'There is no page 9.' }))
      const id = await ask(9)
      await runDue(worker)
      expect(await find(id)).toMatchObject({
        state: 'error',
        errors: [{ at: now, code: 'INVALID_PARAMETER', message: 'There is no page 9.' }],
      })
    })
  })

  describe('told of progress', () => {
    it('writes it about once a second, the latest word', async () => {
      const { engrave, runs, release } = held()
      const worker = workerOf(engrave)
      const id = await ask(1)
      await worker.look()
      runs[0]?.report(10, 'first system')
      await worker.look()
      expect(await find(id)).toMatchObject({ state: 'doing', percent: 0, text: undefined })
      runs[0]?.report(20, 'second system')
      now += 1000
      await worker.look()
      expect(await find(id)).toMatchObject({ percent: 20, text: 'second system', updatedAt: now })
      release()
      await worker.idle()
    })

    it('keeps it between 0 and 100', async () => {
      const { engrave, runs, release } = held()
      const worker = workerOf(engrave)
      const id = await ask(1)
      await worker.look()
      now += 1000
      runs[0]?.report(140)
      await worker.look()
      expect(await find(id)).toMatchObject({ percent: 100 })
      release()
      await worker.idle()
    })
  })

  describe('told to cancel', () => {
    it('never begins what waits', async () => {
      const { engrave, pages } = held()
      const id = await ask(1)
      expect(await db.transaction((tx) => jobs.cancel(tx, id))).toBe(true)
      await runDue(workerOf(engrave))
      expect(pages).toEqual([])
      expect(await find(id)).toMatchObject({ state: 'canceled', doneAt: now })
    })

    it('tells the one that runs at its next sign of life, and it stays canceled', async () => {
      const { engrave, runs, release } = held()
      const worker = workerOf(engrave)
      const id = await ask(1)
      await worker.look()
      await db.transaction((tx) => jobs.cancel(tx, id))
      now += 20_000
      await worker.look()
      expect(runs[0]?.signal.aborted).toBe(true)
      release()
      await worker.idle()
      expect(await find(id)).toMatchObject({ state: 'canceled' })
    })

    it('says that it is too late for what is over', async () => {
      const id = await ask(1)
      await runDue(workerOf(async () => {}))
      expect(await db.transaction((tx) => jobs.cancel(tx, id))).toBe(false)
      expect(await find(id)).toMatchObject({ state: 'done' })
    })
  })

  describe('at a stop', () => {
    it('takes no more, and gives back what heeds the signal without counting the try', async () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const worker = workerOf(async (_ctx, _payload, { signal }) => {
        begin()
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
      })
      const id = await ask(1)
      await worker.look()
      await begun
      await worker.stop()
      expect(await find(id)).toMatchObject({ state: 'blocked', errors: [] })
      const later = held()
      later.release()
      await runDue(workerOf(later.engrave))
      expect(later.runs).toMatchObject([{ attempt: 1 }])
    })

    it('gives back what does not heed the signal', async () => {
      const id = await ask(1)
      const worker = workerOf(() => never)
      await worker.look()
      await worker.stop()
      expect(await find(id)).toMatchObject({ state: 'blocked' })
    })

    it('begins nothing afterwards', async () => {
      const { engrave, pages } = held()
      const worker = workerOf(engrave)
      await worker.stop()
      await ask(1)
      await worker.look()
      expect(pages).toEqual([])
    })
  })

  describe('with a job that recurs', () => {
    it('runs it again and again, whether it succeeds or not, and once however often it is started', async () => {
      const times: number[] = []
      const engrave: Engrave = async () => {
        times.push(now)
        if (times.length === 1) fail('INVALID_PARAMETER')
      }
      const began = now
      for (let starts = 0; starts < 3; starts++) {
        const stopped = workerOf(engrave, { every: 60 * minute })
        await stopped.start()
        await stopped.stop()
      }
      const worker = workerOf(engrave, { every: 60 * minute })
      for (let passed = 0; passed < 150; passed += 10) {
        now += 10 * minute
        await runDue(worker)
      }
      expect(times.map((time) => (time - began) / minute)).toEqual([60, 120])
    })
  })

  describe('in the course of time', () => {
    it('forgets what has been over for a week, and nothing else', async () => {
      const over = await ask(1)
      await runDue(workerOf(async () => {}))
      const waiting = await ask(2, { runAt: now + 1000 * 24 * 60 * minute })
      now += 7 * 24 * 60 * minute
      await jobs.forget(db, new AbortController().signal)
      expect(await find(over)).toBeDefined()
      now += 1
      await jobs.forget(db, new AbortController().signal)
      expect(await find(over)).toBeUndefined()
      expect(await find(waiting)).toMatchObject({ state: 'created' })
    })
  })

  it('goes on when the database was away for a while', async () => {
    let away = true
    const unsteady: Database = {
      ...db,
      transaction: (work) => (away ? Promise.reject(new Error('away')) : db.transaction(work)),
    }
    const { engrave, pages, release } = held()
    release()
    const worker = workerOf(engrave, { on: unsteady })
    await ask(1)
    await runDue(worker)
    expect(pages).toEqual([])
    away = false
    await runDue(worker)
    expect(pages).toEqual([1])
  })
})
