import { expect, it } from 'vitest'
import { keyedMutex } from './keyed-mutex.ts'

it('runs tasks with the same key one after another, even after a task that failed', async () => {
  const runExclusive = keyedMutex()
  const events: string[] = []
  const work = (name: string, fails = false) =>
    runExclusive('score', async () => {
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
  const waiting = runExclusive('a', () => first.promise)
  expect(await runExclusive('b', async () => 'done')).toBe('done')
  first.resolve('at last')
  expect(await waiting).toBe('at last')
})

it('refuses a task while the queue of its key is full', async () => {
  const runExclusive = keyedMutex(2)
  const first = Promise.withResolvers<string>()
  const waiting = [
    runExclusive('a', () => first.promise),
    runExclusive('a', async () => 'second'),
    runExclusive('a', async () => 'third'),
  ]
  await expect(runExclusive('a', async () => 'fourth')).rejects.toMatchObject({
    code: 'SERVER_BUSY',
    status: 503,
  })
  expect(await runExclusive('b', async () => 'other')).toBe('other')
  first.resolve('first')
  expect(await Promise.all(waiting)).toEqual(['first', 'second', 'third'])
  expect(await runExclusive('a', async () => 'fifth')).toBe('fifth')
})
