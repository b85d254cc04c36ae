import { expect, it } from 'vitest'
import { concurrencyLimiter } from './concurrency-limiter.ts'

/** Tasks that end when the test calls `end`. */
function createTasks(count: number) {
  const started: number[] = []
  const ends: (() => void)[] = []
  const all = Array.from({ length: count }, (_, n) => () => {
    started.push(n)
    return new Promise<number>((resolve) => {
      ends[n] = () => resolve(n)
    })
  })
  return { started, all, end: (n: number) => ends[n]?.() }
}

it('limits concurrent tasks and starts waiting tasks in the order of their calls', async () => {
  const run = concurrencyLimiter(2, 10)
  const { started, all, end } = createTasks(4)
  const results = all.map((task) => run(task))
  expect(started).toEqual([0, 1])
  end(1)
  expect(await results[1]).toBe(1)
  expect(started).toEqual([0, 1, 2])
  end(0)
  await results[0]
  expect(started).toEqual([0, 1, 2, 3])
  end(2)
  end(3)
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3])
  const { started: later, all: more, end: endMore } = createTasks(3)
  const next = more.map((task) => run(task))
  expect(later).toEqual([0, 1])
  for (const n of [0, 1]) endMore(n)
  await next[1]
  endMore(2)
  await next[2]
})

it('refuses tasks of a key beyond its limit without limiting other keys', async () => {
  const run = concurrencyLimiter(1, 10, 2)
  const { started, all, end } = createTasks(4)
  const [a, b, c, d] = all as [
    () => Promise<number>,
    () => Promise<number>,
    () => Promise<number>,
    () => Promise<number>,
  ]
  const results = [run(a, 'sam'), run(b, 'sam')]
  await expect(run(c, 'sam')).rejects.toMatchObject({ code: 'SERVER_BUSY' })
  results.push(run(c, 'sol'), run(d))
  for (const n of [0, 1, 2, 3]) {
    expect(started.at(-1)).toBe(n)
    end(n)
    await results[n]
  }
  expect(await run(async () => 'again', 'sam')).toBe('again')
  await expect(run(() => Promise.reject(new Error('It failed')), 'sam')).rejects.toThrow('It failed')
  expect(await Promise.all([run(async () => 1, 'sam'), run(async () => 2, 'sam')])).toEqual([1, 2])
})

it('refuses a task while the queue is full, and runs the next task after one that failed', async () => {
  const run = concurrencyLimiter(1, 1)
  const { all, end } = createTasks(1)
  const [first = async () => 0] = all
  const running = run(first)
  const waits = run(async () => Promise.reject(new Error('It failed')))
  await expect(run(async () => 2)).rejects.toMatchObject({ code: 'SERVER_BUSY' })
  end(0)
  await running
  await expect(waits).rejects.toThrow('It failed')
  expect(await run(async () => 3)).toBe(3)
})
