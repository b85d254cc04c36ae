import { expect, it } from 'vitest'
import { sharedRuns, type Waiter, type Waiters } from './shared-runs.ts'

/** A run that ends when the test says so. */
function controlled() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const runs: Waiters[] = []
  const start = (waiters: Waiters) => {
    runs.push(waiters)
    waiters.signal?.addEventListener('abort', () => reject(waiters.signal?.reason))
    return promise
  }
  return { start, runs, resolve, reject }
}

function leaving(caller: string): Waiter & { leave: () => void } {
  const controller = new AbortController()
  return { caller, signal: controller.signal, leave: () => controller.abort(new Error(`${caller} left`)) }
}

it('runs work once for all who wait for it, and again for a later request', async () => {
  const run = sharedRuns()
  const work = controlled()
  const waiting = ['a', 'b'].map((caller) => run('pdf', { caller }, work.start))
  await Promise.resolve()
  expect(work.runs.map(({ callers }) => [...callers])).toEqual([['a', 'b']])
  work.resolve('file')
  expect(await Promise.all(waiting)).toEqual(['file', 'file'])
  expect(await run('pdf', { caller: 'c' }, async () => 'again')).toBe('again')
})

it('runs work of different keys at the same time', async () => {
  const run = sharedRuns()
  const work = controlled()
  const waiting = run('pdf', { caller: 'a' }, work.start)
  expect(await run('svg', { caller: 'a' }, async () => 'page')).toBe('page')
  work.resolve('file')
  expect(await waiting).toBe('file')
})

it('passes a failure on to all waiters', async () => {
  const run = sharedRuns()
  const work = controlled()
  const waiting = ['a', 'b'].map((caller) => run('pdf', { caller }, work.start))
  work.reject(new Error('broken'))
  expect(await Promise.allSettled(waiting)).toMatchObject([
    { reason: { message: 'broken' } },
    { reason: { message: 'broken' } },
  ])
})

it('goes on for the others when one waiter leaves', async () => {
  const run = sharedRuns()
  const work = controlled()
  const [a, b] = [leaving('a'), leaving('b')]
  const [first, second] = [run('pdf', a, work.start), run('pdf', b, work.start)]
  await Promise.resolve()
  a.leave()
  await expect(first).rejects.toThrow('a left')
  expect([...(work.runs[0]?.callers ?? [])]).toEqual(['b'])
  expect(work.runs[0]?.signal?.aborted).toBe(false)
  work.resolve('file')
  expect(await second).toBe('file')
})

it('is aborted when the last waiter leaves, and runs anew for a later one', async () => {
  const run = sharedRuns()
  const work = controlled()
  const [a, b] = [leaving('a'), leaving('b')]
  const waiting = [run('pdf', a, work.start), run('pdf', b, work.start)]
  await Promise.resolve()
  a.leave()
  b.leave()
  await Promise.allSettled(waiting)
  expect(work.runs[0]?.signal?.aborted).toBe(true)
  expect(await run('pdf', { caller: 'c' }, async () => 'again')).toBe('again')
})

it('does not start for a waiter that has left already', async () => {
  const run = sharedRuns()
  const work = controlled()
  const a = leaving('a')
  a.leave()
  await expect(run('pdf', a, work.start)).rejects.toThrow('a left')
  expect(work.runs).toEqual([])
})

it('reports the progress to all waiters', async () => {
  const run = sharedRuns()
  const percents: number[] = []
  const report = (percent: number) => percents.push(percent)
  const waiting = ['a', 'b'].map((caller) =>
    run('mp3', { caller, report }, async (waiters) => {
      waiters.report?.(50)
      return 'file'
    }),
  )
  await Promise.all(waiting)
  expect(percents).toEqual([50, 50])
})
