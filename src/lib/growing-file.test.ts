import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { growingFile } from './growing-file.ts'

const bytes = (text: string) => Buffer.from(text)

test('each reader gets all bytes in order, whenever it starts, and no later than they are added', async () => {
  const file = growingFile()
  const early = file.stream()[Symbol.asyncIterator]()
  const first = early.next()
  file.add(0, bytes('ab'))
  expect(String((await first).value)).toBe('ab')
  const second = early.next()
  file.add(2, bytes('c'))
  expect(String((await second).value)).toBe('c')
  const late = text(file.stream())
  file.end()
  expect(await late).toBe('abc')
  expect((await early.next()).done).toBe(true)
  expect(file.bytes().toString()).toBe('abc')
})

test('bytes that a repeated job sends again count once, and a gap is an error', async () => {
  const file = growingFile()
  file.add(0, bytes('abc'))
  file.add(0, bytes('ab'))
  file.add(2, bytes('cde'))
  file.end()
  expect(await text(file.stream())).toBe('abcde')
  expect(() => file.add(7, bytes('x'))).toThrow(RangeError)
})

test('a reader that is slow gets the rest from the stored copy, which is opened once', async () => {
  const file = growingFile()
  file.add(0, bytes('ab'))
  const slow = file.stream()[Symbol.asyncIterator]()
  expect(String((await slow.next()).value)).toBe('ab')
  file.add(2, bytes('cdef'))
  let opened = 0
  let released = 0
  file.end({
    async open() {
      opened++
      return (async function* () {
        yield* [bytes('a'), bytes('bcd'), bytes('ef')]
      })()
    },
    release: () => released++,
  })
  let rest = ''
  for (let next = await slow.next(); !next.done; next = await slow.next()) rest += String(next.value)
  expect(rest).toBe('cdef')
  await expect.poll(() => [file.hasReaders(), released]).toEqual([false, 1])
  expect(opened).toBe(1)
  expect(file.bytes()).toHaveLength(0)
})

test('a failure reaches the readers after the bytes before it, and none that have ended', async () => {
  const file = growingFile()
  file.add(0, bytes('a'))
  const reader = file.stream()[Symbol.asyncIterator]()
  await reader.next()
  const next = reader.next()
  file.fail(new Error('broken'))
  await expect(next).rejects.toThrow('broken')
  await expect(text(file.stream())).rejects.toThrow('broken')
  const whole = growingFile()
  whole.end()
  whole.fail(new Error('too late'))
  expect(await text(whole.stream())).toBe('')
})
