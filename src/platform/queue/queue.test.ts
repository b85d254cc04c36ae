import { describe, expect, it } from 'vitest'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { heldHandler, recordingHandler, runDue, useJobQueue } from '../../../test/support/job-queue.ts'

describeEachDatabase('the job queue', (databases) => {
  const queue = useJobQueue(databases)
  const { clock, jobs, workerOf, ask, find } = queue

  describe('enqueue', () => {
    it('runs the job once and reports its state', async () => {
      const { engrave, pages } = recordingHandler()
      const worker = workerOf(engrave)
      const id = await ask(7)
      expect(await find(id)).toMatchObject({
        kind: 'engrave',
        state: 'created',
        percent: 0,
        createdAt: clock.now(),
      })
      await runDue(worker)
      await runDue(worker)
      expect(pages).toEqual([7])
      expect(await find(id)).toMatchObject({ state: 'done', percent: 100, doneAt: clock.now(), errors: [] })
    })

    it('does not enqueue the job if the transaction fails', async () => {
      const failing = queue.db.transaction(async (tx) => {
        await jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await queue.db.read.selectFrom('jobs').select('id').execute()).toEqual([])
    })

    it('calls the listener after the commit, and not after other commits', async () => {
      let calls = 0
      jobs.onEnqueue(() => {
        calls += 1
      })
      await queue.db.transaction(async (tx) => {
        await tx.deleteFrom('jobs').execute()
      })
      expect(calls).toBe(0)
      await queue.db.transaction(async (tx) => {
        await jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } })
        expect(calls).toBe(0)
      })
      expect(calls).toBe(1)
    })

    it('starts the job after the commit if the worker of this process is running', async () => {
      const { engrave, started, release } = heldHandler()
      const worker = workerOf(engrave, { pollInterval: 60 * minute })
      await worker.start()
      await ask(1)
      await started
      release()
      await worker.stop()
    })

    it('finds jobs that another process enqueued', async () => {
      const { engrave, started, release } = heldHandler()
      const worker = workerOf(engrave)
      await worker.start()
      await queue.otherDb.transaction((tx) => jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } }))
      await started
      release()
      await worker.stop()
    })

    it('starts the oldest jobs first and at most as many as there are slots for them', async () => {
      const { engrave, pages, release } = heldHandler()
      const worker = workerOf(engrave)
      for (const page of [1, 2, 3, 4]) {
        clock.forward(1)
        await ask(page)
      }
      await worker.poll()
      expect(pages.sort()).toEqual([1, 2])
      release()
      await worker.idle()
      expect(pages.sort()).toEqual([1, 2, 3, 4])
    })

    it('does not start a job before its time', async () => {
      const { engrave, pages } = recordingHandler()
      const worker = workerOf(engrave)
      await ask(1, { runAt: clock.now() + minute })
      await runDue(worker)
      expect(pages).toEqual([])
      clock.forward(minute)
      await runDue(worker)
      expect(pages).toEqual([1])
    })

    it('does not claim jobs of kinds without a handler', async () => {
      const id = await ask(1)
      await runDue(workerOf(async () => {}, { kind: 'unrelated' }))
      expect(await find(id)).toMatchObject({ state: 'created' })
    })
  })

  describe('enqueue with the key of another job', () => {
    it('keeps one waiting job with the earlier of both times', async () => {
      const first = await ask(1, { key: 'score', runAt: clock.now() + minute })
      expect(await ask(1, { key: 'score', runAt: clock.now() + 2 * minute })).toBe(first)
      expect(await ask(1, { key: 'score', runAt: clock.now() + 1 })).toBe(first)
      expect(await ask(1, { key: 'other' })).not.toBe(first)
      const row = await queue.db.read
        .selectFrom('jobs')
        .select('due_at')
        .where('id', '=', first)
        .executeTakeFirst()
      expect(row?.due_at).toBe(clock.now() + 1)
    })

    it('keeps one waiting job for simultaneous calls', async () => {
      const ids = await Promise.all([1, 2, 3, 4].map((page) => ask(page, { key: 'score' })))
      expect(new Set(ids).size).toBe(1)
    })

    it('adds a second job if the first one runs, because that one may have missed the latest change', async () => {
      const { engrave, release } = heldHandler()
      const worker = workerOf(engrave)
      const first = await ask(1, { key: 'score' })
      await worker.poll()
      const second = await ask(2, { key: 'score' })
      expect(second).not.toBe(first)
      release()
      await worker.idle()
      expect(await find(second)).toMatchObject({ state: 'done' })
    })

    it('allows the first job to wait for its retry beside the second', async () => {
      const { engrave, release } = heldHandler()
      const worker = workerOf(async (ctx, payload: never, run) => {
        await engrave(ctx, payload, run)
        throw new Error('out of ink')
      })
      const first = await ask(1, { key: 'score' })
      await worker.poll()
      const second = await ask(2, { key: 'score', runAt: clock.now() + minute })
      release()
      await worker.idle()
      expect(await find(first)).toMatchObject({ state: 'blocked' })
      expect(await find(second)).toMatchObject({ state: 'created' })
    })
  })

  describe('cancel', () => {
    it('removes a waiting job from the queue', async () => {
      const { engrave, pages } = recordingHandler()
      const id = await ask(1)
      expect(await queue.db.transaction((tx) => jobs.cancel(tx, id))).toBe(true)
      await runDue(workerOf(engrave))
      expect(pages).toEqual([])
      expect(await find(id)).toMatchObject({ state: 'canceled', doneAt: clock.now() })
    })

    it('aborts a running job when its lease is to be extended, and keeps it canceled', async () => {
      const { engrave, runs, release } = heldHandler()
      const worker = workerOf(engrave)
      const id = await ask(1)
      await worker.poll()
      await queue.db.transaction((tx) => jobs.cancel(tx, id))
      clock.forward(20_000)
      await worker.poll()
      expect(runs[0]?.signal.aborted).toBe(true)
      release()
      await worker.idle()
      expect(await find(id)).toMatchObject({ state: 'canceled' })
    })

    it('returns false for a job that has ended', async () => {
      const id = await ask(1)
      await runDue(workerOf(async () => {}))
      expect(await queue.db.transaction((tx) => jobs.cancel(tx, id))).toBe(false)
      expect(await find(id)).toMatchObject({ state: 'done' })
    })
  })

  describe('deleteFinished', () => {
    it('deletes jobs that ended more than a week ago and no others', async () => {
      const finished = await ask(1)
      await runDue(workerOf(async () => {}))
      const waiting = await ask(2, { runAt: clock.now() + 1000 * 24 * 60 * minute })
      clock.forward(7 * 24 * 60 * minute)
      await jobs.deleteFinished(queue.db, new AbortController().signal)
      expect(await find(finished)).toBeDefined()
      clock.forward(1)
      await jobs.deleteFinished(queue.db, new AbortController().signal)
      expect(await find(finished)).toBeUndefined()
      expect(await find(waiting)).toMatchObject({ state: 'created' })
    })
  })
})
