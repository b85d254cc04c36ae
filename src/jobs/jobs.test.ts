import { describe, expect, it } from 'vitest'
import { minute } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { held, noting, runDue, useJobQueue } from '../../test/support/job-queue.ts'

describeEachDatabase('the job queue', (databases) => {
  const queue = useJobQueue(databases)
  const { clock, jobs, workerOf, ask, find } = queue

  describe('asked for work', () => {
    it('does it once, and says so', async () => {
      const { engrave, pages } = noting()
      const worker = workerOf(engrave)
      const id = await ask(7)
      expect(await find(id)).toMatchObject({ kind: 'engrave', state: 'created', percent: 0, createdAt: clock.now() })
      await runDue(worker)
      await runDue(worker)
      expect(pages).toEqual([7])
      expect(await find(id)).toMatchObject({ state: 'done', percent: 100, doneAt: clock.now(), errors: [] })
    })

    it('knows nothing of it when the transaction fails', async () => {
      const failing = queue.db.transaction(async (tx) => {
        await jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } })
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(await queue.db.read.selectFrom('jobs').select('id').execute()).toEqual([])
    })

    it('says so at once after the commit, and not after other commits', async () => {
      let calls = 0
      jobs.onWork(() => {
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
      await queue.elsewhere.transaction((tx) => jobs.enqueue(tx, { kind: 'engrave', payload: { page: 1 } }))
      await begun
      release()
      await worker.stop()
    })

    it('begins the oldest first, and no more at a time than it was set to', async () => {
      const { engrave, pages, release } = held()
      const worker = workerOf(engrave)
      for (const page of [1, 2, 3, 4]) {
        clock.forward(1)
        await ask(page)
      }
      await worker.look()
      expect(pages.sort()).toEqual([1, 2])
      release()
      await worker.idle()
      expect(pages.sort()).toEqual([1, 2, 3, 4])
    })

    it('waits for the time it was asked for', async () => {
      const { engrave, pages } = noting()
      const worker = workerOf(engrave)
      await ask(1, { runAt: clock.now() + minute })
      await runDue(worker)
      expect(pages).toEqual([])
      clock.forward(minute)
      await runDue(worker)
      expect(pages).toEqual([1])
    })

    it('leaves kinds that it does not know to others', async () => {
      const id = await ask(1)
      await runDue(workerOf(async () => {}, { kind: 'unrelated' }))
      expect(await find(id)).toMatchObject({ state: 'created' })
    })
  })

  describe('asked twice under one key', () => {
    it('has one job that waits, at the earlier of both times', async () => {
      const first = await ask(1, { key: 'score', runAt: clock.now() + minute })
      expect(await ask(1, { key: 'score', runAt: clock.now() + 2 * minute })).toBe(first)
      expect(await ask(1, { key: 'score', runAt: clock.now() + 1 })).toBe(first)
      expect(await ask(1, { key: 'other' })).not.toBe(first)
      const row = await queue.db.read.selectFrom('jobs').select('due_at').where('id', '=', first).executeTakeFirst()
      expect(row?.due_at).toBe(clock.now() + 1)
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
      const second = await ask(2, { key: 'score', runAt: clock.now() + minute })
      release()
      await worker.idle()
      expect(await find(first)).toMatchObject({ state: 'blocked' })
      expect(await find(second)).toMatchObject({ state: 'created' })
    })
  })

  describe('told to cancel', () => {
    it('never begins what waits', async () => {
      const { engrave, pages } = noting()
      const id = await ask(1)
      expect(await queue.db.transaction((tx) => jobs.cancel(tx, id))).toBe(true)
      await runDue(workerOf(engrave))
      expect(pages).toEqual([])
      expect(await find(id)).toMatchObject({ state: 'canceled', doneAt: clock.now() })
    })

    it('tells the one that runs at its next sign of life, and it stays canceled', async () => {
      const { engrave, runs, release } = held()
      const worker = workerOf(engrave)
      const id = await ask(1)
      await worker.look()
      await queue.db.transaction((tx) => jobs.cancel(tx, id))
      clock.forward(20_000)
      await worker.look()
      expect(runs[0]?.signal.aborted).toBe(true)
      release()
      await worker.idle()
      expect(await find(id)).toMatchObject({ state: 'canceled' })
    })

    it('says that it is too late for what is over', async () => {
      const id = await ask(1)
      await runDue(workerOf(async () => {}))
      expect(await queue.db.transaction((tx) => jobs.cancel(tx, id))).toBe(false)
      expect(await find(id)).toMatchObject({ state: 'done' })
    })
  })

  describe('in the course of time', () => {
    it('forgets what has been over for a week, and nothing else', async () => {
      const over = await ask(1)
      await runDue(workerOf(async () => {}))
      const waiting = await ask(2, { runAt: clock.now() + 1000 * 24 * 60 * minute })
      clock.forward(7 * 24 * 60 * minute)
      await jobs.forget(queue.db, new AbortController().signal)
      expect(await find(over)).toBeDefined()
      clock.forward(1)
      await jobs.forget(queue.db, new AbortController().signal)
      expect(await find(over)).toBeUndefined()
      expect(await find(waiting)).toMatchObject({ state: 'created' })
    })
  })
})
