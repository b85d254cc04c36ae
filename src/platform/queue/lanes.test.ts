import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { heldHandler, recordingHandler, runDue, useJobQueue } from '../../../test/support/job-queue.ts'
import { planOf, rowsRead } from '../../../test/support/query-plans.ts'
import { idGenerator } from '../../lib/ids.ts'
import { minute } from '../../lib/durations.ts'
import { findDueJob } from './store.ts'

describeEachDatabase('the lanes of the job queue', (databases) => {
  const queue = useJobQueue(databases)
  const { clock, workerOf, ask } = queue

  /** Enqueues a job for each page, one a millisecond. */
  async function askFor(user: string, ...pages: number[]): Promise<void> {
    for (const page of pages) {
      clock.forward(1)
      await ask(page, { payload: { user, page } })
    }
  }
  const pagesFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)

  it('do not delay a mail while three exports do not end', async () => {
    const users = await queue.users(3)
    const exports = heldHandler()
    const mails = recordingHandler()
    const others = { export: { handle: exports.engrave }, mail: { handle: mails.engrave } }
    const worker = workerOf(async () => {}, { others })
    for (const [page, user] of users.entries()) await ask(page, { kind: 'export', payload: { user, page } })
    await ask(3, { kind: 'export', payload: { page: 3 } })
    await worker.poll()
    expect(exports.pages.toSorted()).toEqual([0, 1, 2])
    await ask(9, { kind: 'mail', payload: { page: 9 } })
    await worker.poll()
    expect(mails.pages).toEqual([9])
    expect(worker.running()).toMatchObject({ export: 3, deletion: 0 })
    exports.release()
    await worker.idle()
    expect(worker.running()).toMatchObject({ export: 0, deletion: 0 })
  })

  it('serve accounts in turn, however many jobs wait', async () => {
    const [first = '', second = '', third = ''] = await queue.users(3)
    const { engrave, pages } = recordingHandler()
    await askFor(second, ...pagesFrom(100, 50))
    await askFor(first, 1)
    await askFor(third, 200, 201, 202)
    await runDue(workerOf(engrave, { slots: 1 }))
    expect(pages.slice(0, 8)).toEqual([1, 100, 200, 101, 201, 102, 202, 103])
    expect(pages).toHaveLength(54)
  })

  it('continue with the next account when a new one comes', async () => {
    const [first = '', second = '', third = ''] = await queue.users(3)
    await askFor(second, ...pagesFrom(100, 3))
    const pages: number[] = []
    const worker = workerOf(
      async (_ctx, { page }: { page: number }) => {
        pages.push(page)
        if (page !== 100) return
        await askFor(first, 1)
        await askFor(third, 200)
      },
      { slots: 1 },
    )
    await runDue(worker)
    expect(pages).toEqual([100, 200, 1, 101, 102])
  })

  it('serve jobs of no account by kind', async () => {
    const [user = ''] = await queue.users(1)
    const { engrave, pages } = recordingHandler()
    await askFor(user, 1, 2)
    clock.forward(1)
    await ask(3)
    await runDue(workerOf(engrave, { slots: 1 }))
    expect(pages).toEqual([1, 3, 2])
  })

  it('keep their last slot for an account that has no job running', async () => {
    const [first = '', second = ''] = await queue.users(2)
    const { engrave, pages, release } = heldHandler()
    const worker = workerOf(engrave)
    await askFor(first, 1, 2, 3, 4)
    await worker.poll()
    expect(pages).toEqual([1, 2])
    await askFor(second, 9, 10)
    await worker.poll()
    expect(pages).toEqual([1, 2, 9])
    release()
    await worker.idle()
    expect(pages.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 9, 10])
  })

  it('find the next job in the index, however many jobs an account has, wait, or are scheduled', async () => {
    const newId = idGenerator(clock)
    const users = await queue.users(200)
    const [first = '', second = ''] = users
    for (const user of users) await ask(1, { payload: { user, page: 1 } })
    await ask(1, { runAt: clock.now() + minute })
    const rows = await queue.db.read
      .selectFrom('jobs')
      .selectAll()
      .where((where) => where.or({ user_id: first, turn_key: 'engrave' }))
      .execute()
    expect(rows).toHaveLength(2)
    const copies = rows.flatMap((row) =>
      Array.from({ length: 100 }, () => Array.from({ length: 50 }, () => ({ ...row, id: newId() }))),
    )
    await queue.db.transaction(async (tx) => {
      for (const batch of copies) await tx.insertInto('jobs').values(batch).execute()
    })
    const due = { lane: 'interactive', kinds: ['engrave'], now: clock.now(), after: '', except: [] } as const
    const userOf = async (id = '') =>
      (await queue.db.read.selectFrom('jobs').where('id', '=', id).select('user_id').executeTakeFirst())
        ?.user_id
    const cases = [
      { expected: first },
      { expected: second, after: first },
      { expected: second, except: [first] },
      { expected: first, after: 'engrave' },
    ]
    for (const { expected, ...change } of cases) {
      const query = { ...due, ...change }
      expect(await userOf(await findDueJob(queue.db.read, query))).toBe(expected)
      const plan = await planOf(queue.db.read, (queries) => findDueJob(queries, query))
      if (databases.dialect === 'postgres') {
        expect(rowsRead(plan)).toBeGreaterThan(0)
        expect(rowsRead(plan)).toBeLessThan(20)
        continue
      }
      const steps = plan.filter((step) => / jobs/.test(step))
      expect(new Set(steps)).toEqual(
        new Set([
          'SEARCH jobs USING COVERING INDEX jobs_due (lane=? AND turn_key>?)',
          'SEARCH jobs USING INDEX jobs_due (lane=? AND turn_key=? AND due_at>? AND due_at<?)',
        ]),
      )
    }
  })

  it('count the jobs that wait for a slot', async () => {
    const { engrave, release } = heldHandler()
    const worker = workerOf(engrave)
    await ask(1)
    await ask(2)
    await worker.poll()
    await ask(3)
    await ask(4, { runAt: clock.now() + minute })
    clock.forward(1000)
    await ask(5)
    const backlog = await queue.jobs.backlog(queue.db.read)
    expect(backlog.interactive).toEqual({ waiting: 2, oldestAge: 1000 })
    expect(backlog.mail).toEqual({ waiting: 0, oldestAge: 0 })
    release()
    await worker.idle()
  })
})
