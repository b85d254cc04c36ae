import { expect, it } from 'vitest'
import { takingTurns } from './turns.ts'

it('runs work of one key one after another, also after work that failed', async () => {
  const inTurn = takingTurns()
  const events: string[] = []
  const work = (name: string, fails = false) =>
    inTurn('score', async () => {
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

it('lets work of another key go on beside it', async () => {
  const inTurn = takingTurns()
  const first = Promise.withResolvers<string>()
  const waiting = inTurn('a', () => first.promise)
  expect(await inTurn('b', async () => 'done')).toBe('done')
  first.resolve('at last')
  expect(await waiting).toBe('at last')
})

it('lets so many wait for work of one key and no more, until there is room again', async () => {
  const inTurn = takingTurns(2)
  const first = Promise.withResolvers<string>()
  const waiting = [
    inTurn('a', () => first.promise),
    inTurn('a', async () => 'second'),
    inTurn('a', async () => 'third'),
  ]
  await expect(inTurn('a', async () => 'fourth')).rejects.toMatchObject({ code: 'SERVER_BUSY', status: 503 })
  expect(await inTurn('b', async () => 'other')).toBe('other')
  first.resolve('first')
  expect(await Promise.all(waiting)).toEqual(['first', 'second', 'third'])
  expect(await inTurn('a', async () => 'fifth')).toBe('fifth')
})
