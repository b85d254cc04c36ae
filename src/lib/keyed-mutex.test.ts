import { expect, it } from 'vitest'
import { keyedMutex } from './keyed-mutex.ts'

const waiter = { caller: 'a' }

it('runs tasks with the same key one after another, even after a task that failed', async () => {
  const runExclusive = keyedMutex()
  const events: string[] = []
  const work = (name: string, fails = false) =>
    runExclusive('score', waiter, async () => {
      events.push(`${name} begins`)
      await Promise.resolve()
      events.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([work('a'), work('b', true), work('c')])
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('runs tasks with different keys concurrently', async () => {
  const runExclusive = keyedMutex()
  const first = Promise.withResolvers<string>()
  const waiting = runExclusive('a', waiter, () => first.promise)
  expect(await runExclusive('b', waiter, async () => 'done')).toBe('done')
  first.resolve('at last')
  expect(await waiting).toBe('at last')
})

it('refuses a task while the queue of its key is full', async () => {
  const runExclusive = keyedMutex(2)
  const first = Promise.withResolvers<string>()
  const waiting = [
    runExclusive('a', waiter, () => first.promise),
    runExclusive('a', waiter, async () => 'second'),
    runExclusive('a', waiter, async () => 'third'),
  ]
  await expect(runExclusive('a', waiter, async () => 'fourth')).rejects.toMatchObject({
    code: 'SERVER_BUSY',
    status: 503,
  })
  expect(await runExclusive('b', waiter, async () => 'other')).toBe('other')
  first.resolve('first')
  expect(await Promise.all(waiting)).toEqual(['first', 'second', 'third'])
  expect(await runExclusive('a', waiter, async () => 'fifth')).toBe('fifth')
})

it('serves callers in turn', async () => {
  const runExclusive = keyedMutex()
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const waiting = ['busy', 'busy', 'busy', 'quiet'].map((caller, index) =>
    runExclusive('score', { caller }, async () => {
      await first.promise
      order.push(`${caller} ${index}`)
    }),
  )
  first.resolve()
  await Promise.all(waiting)
  expect(order).toEqual(['busy 0', 'quiet 3', 'busy 1', 'busy 2'])
})

it('removes a waiting task when its signal is aborted, and lets a running one end', async () => {
  const runExclusive = keyedMutex()
  const [first, second] = [new AbortController(), new AbortController()]
  const held = Promise.withResolvers<string>()
  const running = runExclusive('a', { caller: 'a', signal: first.signal }, () => held.promise)
  const left = runExclusive('a', { caller: 'b', signal: second.signal }, async () => 'second')
  const third = runExclusive('a', { caller: 'c' }, async () => 'third')
  first.abort(new Error('a left'))
  second.abort(new Error('b left'))
  await expect(left).rejects.toThrow('b left')
  held.resolve('first')
  expect(await Promise.all([running, third])).toEqual(['first', 'third'])
})
