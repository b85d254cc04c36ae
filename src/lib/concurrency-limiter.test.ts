import { describe, expect, it } from 'vitest'
import { concurrencyLimiter } from './concurrency-limiter.ts'

/** Starts tasks of these callers, each of which ends when the test calls `end` with its number. */
function startTasks(limiter: ReturnType<typeof concurrencyLimiter>, callers: readonly string[]) {
  const started: string[] = []
  const ends: (() => void)[] = []
  const results = callers.map((caller, n) =>
    limiter.run({ caller }, () => {
      started.push(`${caller} ${n}`)
      return new Promise<number>((resolve) => {
        ends[n] = () => resolve(n)
      })
    }),
  )
  const end = async (n: number) => {
    ends[n]?.()
    await results[n]
    // The next task starts in a later microtask.
    await Promise.resolve()
  }
  return { started, results, end }
}

const flush = () => new Promise(setImmediate)

describe('a concurrency limiter', () => {
  it('serves waiting callers in turn, however many tasks one of them has', async () => {
    const limiter = concurrencyLimiter({ slots: 1, maxWaiting: 10 })
    const { started, results, end } = startTasks(limiter, ['busy', 'busy', 'busy', 'quiet', 'late'])
    await flush()
    for (const n of [0, 3, 4, 1, 2]) await end(n)
    expect(started).toEqual(['busy 0', 'quiet 3', 'late 4', 'busy 1', 'busy 2'])
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4])
    expect(limiter.isIdle()).toBe(true)
  })

  it('gives one caller half of the slots', async () => {
    const limiter = concurrencyLimiter({ slots: 4, maxWaiting: 10 })
    const { started, end } = startTasks(limiter, ['busy', 'busy', 'busy', 'quiet'])
    await flush()
    expect(started).toEqual(['busy 0', 'busy 1', 'quiet 3'])
    await end(1)
    expect(started.at(-1)).toBe('busy 2')
    for (const n of [0, 2, 3]) await end(n)
    expect(limiter.isIdle()).toBe(true)
  })

  it('does not charge a caller for the time in which nobody else needed a slot', async () => {
    const limiter = concurrencyLimiter({ slots: 1, maxWaiting: 10 })
    for (let n = 0; n < 5; n++) await limiter.run({ caller: 'early' }, async () => {})
    const { started, end } = startTasks(limiter, ['other', 'early', 'other'])
    await flush()
    for (const n of [0, 1, 2]) await end(n)
    expect(started).toEqual(['other 0', 'early 1', 'other 2'])
  })

  it('refuses tasks of a caller beyond its limit, and not those of others', async () => {
    const limiter = concurrencyLimiter({ slots: 1, maxWaiting: 10, maxWaitingPerCaller: 2 })
    const { started, results, end } = startTasks(limiter, ['busy', 'busy', 'busy', 'busy', 'quiet'])
    await expect(results[3]).rejects.toMatchObject({ code: 'SERVER_BUSY' })
    for (const n of [0, 4, 1, 2]) await end(n)
    expect(started).toEqual(['busy 0', 'quiet 4', 'busy 1', 'busy 2'])
  })

  it('displaces a task of the busiest caller while the queue is full', async () => {
    const limiter = concurrencyLimiter({ slots: 1, maxWaiting: 2 })
    const { started, results, end } = startTasks(limiter, ['busy', 'busy', 'busy', 'quiet'])
    await expect(results[2]).rejects.toMatchObject({ code: 'SERVER_BUSY' })
    for (const n of [0, 3, 1]) await end(n)
    expect(started).toEqual(['busy 0', 'quiet 3', 'busy 1'])
  })

  it('runs the next task after one that failed', async () => {
    const limiter = concurrencyLimiter({ slots: 1, maxWaiting: 1 })
    const failed = limiter.run({ caller: 'a' }, () => Promise.reject(new Error('It failed')))
    const next = limiter.run({ caller: 'a' }, async () => 'next')
    await expect(failed).rejects.toThrow('It failed')
    expect(await next).toBe('next')
  })

  it('keeps a slot that was acquired until it is released, once', async () => {
    const limiter = concurrencyLimiter({ slots: 1, maxWaiting: 2 })
    const release = await limiter.acquire({ caller: 'a' })
    const order: string[] = []
    const waiting = ['b', 'c'].map((caller) => limiter.run({ caller }, async () => void order.push(caller)))
    const left = new AbortController()
    left.abort(new Error('It left'))
    await expect(limiter.acquire({ caller: 'd', signal: left.signal })).rejects.toThrow('It left')
    expect(order).toEqual([])
    release()
    release()
    await Promise.all(waiting)
    expect(order).toEqual(['b', 'c'])
    expect(limiter.isIdle()).toBe(true)
  })
})
