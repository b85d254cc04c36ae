import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { changeFeed, type Follow } from './change-feed.ts'
import type { ScoreState } from './changes.store.ts'

const state: ScoreState = {
  revision: 'r1',
  modified: 1,
  comments: 0,
  sharing: 0,
  trashed: 0,
  deletion_at: null,
}
const sees = { comments: true, sharing: true }

const following = (score: string): Follow => ({
  score,
  caller: score,
  isAccount: true,
  state,
  sees,
  lastEventId: undefined,
  admit: async () => sees,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('keeps a reader who comes while the followed scores are read', async () => {
  const answers: ((states: Map<string, ScoreState>) => void)[] = []
  const asked: (readonly string[])[] = []
  const feed = changeFeed(
    (ids) => {
      asked.push(ids)
      return new Promise((resolve) => answers.push(resolve))
    },
    { warn: vi.fn() },
  )
  feed.follow(following('first'))
  await vi.advanceTimersByTimeAsync(500)
  const { stream } = feed.follow(following('second'))
  const texts: string[] = []
  stream.setEncoding('utf8').on('data', (text: string) => texts.push(text))
  answers[0]?.(new Map([['first', state]]))
  await vi.advanceTimersByTimeAsync(500)
  expect(asked).toEqual([['first'], ['first', 'second']])
  answers[1]?.(new Map([['first', state]]))
  await vi.advanceTimersByTimeAsync(0)
  await new Promise(setImmediate)
  expect(texts.map((text) => /event: \w+/.exec(text)?.[0])).toEqual(['event: change', 'event: end'])
  feed.close()
})
