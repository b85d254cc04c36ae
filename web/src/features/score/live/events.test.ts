import { expect, it } from 'vitest'
import { eventsIn } from './events.ts'

it('reads events that arrive in pieces, and skips comments', async () => {
  const pieces = [':\n\nid: 1\nev', 'ent: change\ndata: {"a":1}\n', '\n', 'event: end\ndata: ä\n\nid: 3\n']
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
  let signs = 0
  const events = []
  for await (const event of eventsIn(body, () => signs++)) events.push(event)
  expect(events).toEqual([
    { id: '1', type: 'change', data: '{"a":1}' },
    { id: undefined, type: 'end', data: 'ä' },
  ])
  expect(signs).toBe(4)
})
