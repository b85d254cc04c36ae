import { describe, expect, it } from 'vitest'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  type Engrave,
  heldHandler,
  recordingHandler,
  runDue,
  useJobQueue,
} from '../../../test/support/job-queue.ts'
import { logLines } from '../../../test/support/log-lines.ts'
import { failingDatabase } from '../../../test/support/unsteady-database.ts'
import type { Database } from '../db/database.ts'
import { fail } from '../../errors.ts'

const never = new Promise<void>(() => {})

describeEachDatabase('the job worker', (databases) => {
  const queue = useJobQueue(databases)
  const { clock, workerOf, ask, find } = queue

  describe('with two workers', () => {
    it('runs each job in only one worker', async () => {
      const { engrave, pages } = recordingHandler()
      const workers = [workerOf(engrave), workerOf(engrave, { on: queue.otherDb })]
      const pageNumbers = Array.from({ length: 40 }, (_, page) => page)
      await queue.db.transaction(async (tx) => {
        for (const page of pageNumbers) await queue.jobs.enqueue(tx, { kind: 'engrave', payload: { page } })
      })
      await Promise.all(workers.map(runDue))
      await Promise.all(workers.map(runDue))
      expect(pages.toSorted((a, b) => a - b)).toEqual(pageNumbers)
    })

    it('polls again if the other worker claimed some of the due jobs', async () => {
      const { engrave, pages } = recordingHandler()
      const faster = heldHandler()
      const other = workerOf(faster.engrave)
      let first = true
      const slow: Database = {
        ...queue.db,
        async transaction(work) {
          if (first) {
            first = false
            await other.poll()
          }
          return queue.db.transaction(work)
        },
      }
      for (const page of [1, 2, 3]) {
        clock.forward(1)
        await ask(page)
      }
      await runDue(workerOf(engrave, { on: slow }))
      expect(faster.pages.sort()).toEqual([1, 2])
      expect(pages).toEqual([3])
      faster.release()
      await other.idle()
    })

    it('claims the job of a dead worker when its lease has expired', async () => {
      const id = await ask(1)
      await workerOf(() => never).poll()
      const { engrave, runs, release } = heldHandler()
      release()
      const other = workerOf(engrave, { on: queue.otherDb })
      clock.forward(minute - 1)
      await runDue(other)
      expect(runs).toEqual([])
      clock.forward(1)
      await runDue(other)
      expect(runs).toMatchObject([{ id, attempt: 2 }])
      expect(await find(id)).toMatchObject({ state: 'done' })
    })

    it('does not claim a job while its worker extends the lease', async () => {
      const { engrave, pages, release } = heldHandler()
      const worker = workerOf(engrave)
      const other = workerOf(engrave, { on: queue.otherDb })
      await ask(1)
      await worker.poll()
      for (let passed = 0; passed < 3 * minute; passed += minute / 2) {
        clock.forward(minute / 2)
        await worker.poll()
        await other.poll()
      }
      expect(pages).toEqual([1])
      release()
      await worker.idle()
    })

    it('aborts the job in a worker that lost the lease, and ignores the outcome there', async () => {
      const first = heldHandler()
      const worker = workerOf(first.engrave)
      const id = await ask(1)
      await worker.poll()
      clock.forward(minute)
      const second = heldHandler()
      const other = workerOf(second.engrave, { on: queue.otherDb })
      await other.poll()
      await worker.poll()
      expect(first.runs[0]?.signal.aborted).toBe(true)
      first.release()
      await worker.idle()
      expect(await find(id)).toMatchObject({ state: 'doing' })
      second.release()
      await other.idle()
      expect(await find(id)).toMatchObject({ state: 'done' })
    })

    it('gives up a job whose process ended during every attempt', async () => {
      const id = await ask(1)
      for (let attempt = 1; attempt <= 3; attempt++) {
        await workerOf(() => never, { maxAttempts: 3 }).poll()
        clock.forward(minute)
      }
      const { engrave, pages } = heldHandler()
      await runDue(workerOf(engrave, { maxAttempts: 3 }))
      expect(pages).toEqual([])
      expect(await find(id)).toMatchObject({
        state: 'error',
        doneAt: clock.now(),
        errors: [{ code: 'INTERNAL_ERROR', message: 'The process ended too often while it ran this job.' }],
      })
    })
  })

  describe('after an error', () => {
    it('retries with growing delays and then gives up', async () => {
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
      clock.forward(5000)
      await runDue(worker)
      clock.forward(20_000)
      await runDue(worker)
      expect(attempts).toEqual([1, 2, 3])
      const job = await find(id)
      expect(job).toMatchObject({ state: 'error', doneAt: clock.now() })
      expect(job?.errors.map(({ code }) => code)).toEqual([
        'INTERNAL_ERROR',
        'INTERNAL_ERROR',
        'INTERNAL_ERROR',
      ])
      expect(JSON.stringify(job)).not.toContain('secret')
    })

    it('marks the job as done if a later attempt succeeds', async () => {
      const worker = workerOf(async (_ctx, _payload, { attempt }) => {
        if (attempt === 1) fail('ENGINE_UNAVAILABLE')
      })
      const id = await ask(1)
      await runDue(worker)
      clock.forward(5000)
      await runDue(worker)
      expect(await find(id)).toMatchObject({ state: 'done', errors: [{ code: 'ENGINE_UNAVAILABLE' }] })
    })

    it('does not retry after a client error', async () => {
      const worker = workerOf(async () => fail('INVALID_PARAMETER', { message: 'There is no page 9.' }))
      const id = await ask(9)
      await runDue(worker)
      expect(await find(id)).toMatchObject({
        state: 'error',
        errors: [{ at: clock.now(), code: 'INVALID_PARAMETER', message: 'There is no page 9.' }],
      })
    })
  })

  describe('report', () => {
    it('stores the latest progress about once a second', async () => {
      const { engrave, runs, release } = heldHandler()
      const worker = workerOf(engrave)
      const id = await ask(1)
      await worker.poll()
      runs[0]?.report(10, 'first system')
      await worker.poll()
      expect(await find(id)).toMatchObject({ state: 'doing', percent: 0, text: undefined })
      runs[0]?.report(20, 'second system')
      clock.forward(1000)
      await worker.poll()
      expect(await find(id)).toMatchObject({ percent: 20, text: 'second system', updatedAt: clock.now() })
      release()
      await worker.idle()
    })

    it('limits the percentage to the range from 0 to 100', async () => {
      const { engrave, runs, release } = heldHandler()
      const worker = workerOf(engrave)
      const id = await ask(1)
      await worker.poll()
      clock.forward(1000)
      runs[0]?.report(140)
      await worker.poll()
      expect(await find(id)).toMatchObject({ percent: 100 })
      release()
      await worker.idle()
    })
  })

  describe('stop', () => {
    it('returns a job that ends on abort to the queue without counting the attempt', async () => {
      const { promise: started, resolve: start } = Promise.withResolvers<void>()
      const worker = workerOf(async (_ctx, _payload, { signal }) => {
        start()
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
      })
      const id = await ask(1)
      await worker.poll()
      await started
      await worker.stop()
      expect(await find(id)).toMatchObject({ state: 'blocked', errors: [] })
      const later = heldHandler()
      later.release()
      await runDue(workerOf(later.engrave))
      expect(later.runs).toMatchObject([{ attempt: 1 }])
    })

    it('returns a job that ignores the abort signal to the queue', async () => {
      const id = await ask(1)
      const worker = workerOf(() => never)
      await worker.poll()
      await worker.stop()
      expect(await find(id)).toMatchObject({ state: 'blocked' })
    })

    it('starts no job afterwards', async () => {
      const { engrave, pages } = heldHandler()
      const worker = workerOf(engrave)
      await worker.stop()
      await ask(1)
      await worker.poll()
      expect(pages).toEqual([])
    })
  })

  describe('with a recurring job', () => {
    it('runs the job once in each interval, even after a failure and several starts of the worker', async () => {
      const times: number[] = []
      const engrave: Engrave = async () => {
        times.push(clock.now())
        if (times.length === 1) fail('INVALID_PARAMETER')
      }
      const began = clock.now()
      for (let starts = 0; starts < 3; starts++) {
        const stopped = workerOf(engrave, { every: 60 * minute })
        await stopped.start()
        await stopped.stop()
      }
      const worker = workerOf(engrave, { every: 60 * minute })
      for (let passed = 0; passed < 150; passed += 10) {
        clock.forward(10 * minute)
        await runDue(worker)
      }
      expect(times.map((time) => (time - began) / minute)).toEqual([60, 120])
    })

    it('counts the interval from the start of a run, even if the run takes long', async () => {
      const began = clock.now()
      const times: number[] = []
      const engrave: Engrave = async () => {
        times.push((clock.now() - began) / minute)
        clock.forward(15 * minute)
      }
      const worker = workerOf(engrave, { every: 60 * minute })
      await worker.start()
      while (times.length < 3) {
        clock.forward(15 * minute)
        await runDue(worker)
      }
      expect(times).toEqual([60, 120, 180])
      await worker.stop()
    })
  })

  it('continues after a failure of the database, and logs the failure and the recovery once', async () => {
    const db = failingDatabase(queue.db)
    const { engrave, pages } = recordingHandler()
    const log = logLines()
    const worker = workerOf(engrave, { on: db, logTo: log })
    await ask(1)
    db.fail(new Error('away'))
    for (let poll = 0; poll < 3; poll++) await runDue(worker)
    expect(pages).toEqual([])
    expect(log.take()).toMatchObject([{ level: 50, err: { message: 'away' } }])
    db.work()
    await runDue(worker)
    expect(pages).toEqual([1])
    expect(log.take()).toMatchObject([{ level: 30, failedPolls: 3 }])
  })

  it('stops while the database fails, and leaves the jobs to expire', async () => {
    const db = failingDatabase(queue.db)
    const worker = workerOf(() => never, { on: db })
    const id = await ask(1)
    await worker.poll()
    db.fail(new Error('away'))
    await worker.stop()
    expect(await find(id)).toMatchObject({ state: 'doing' })
  })
})
