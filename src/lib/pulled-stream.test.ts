import { expect, it } from 'vitest'
import { PulledStream } from './pulled-stream.ts'

it('holds one text for a slow reader, who then gets the newest', async () => {
  let state = 0
  let sent = 0
  const stream = new PulledStream(() => {
    if (state === sent) return undefined
    sent = state
    return `${state} `
  })
  const iterator = stream[Symbol.asyncIterator]()
  state = 1
  const read = async () => String((await iterator.next()).value)
  expect(await read()).toBe('1 ')
  let made = 0
  for (state = 2; state < 1000; state++) {
    stream.wake()
    if (sent === state) made++
    stream.offer(':')
  }
  expect(made).toBeLessThan(3)
  expect(stream.readableLength).toBeLessThan(10)
  let text = ''
  while (!text.includes('1000')) {
    stream.wake()
    text += await read()
  }
  expect(text.length).toBeLessThan(40)
})
