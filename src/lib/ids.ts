import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Returns a new id: 24 lower-case hex characters. The ids of one process are in ascending order. */
export type NewId = () => string

/**
 * Creates a generator of ids: 48 bits of milliseconds since 1970, a counter of 16 bits within the millisecond, 32 random
 * bits. If the clock steps back, the generator uses its last millisecond until the clock has caught up.
 * @param latest the latest id that exists. New ids sort after it, even if the clock has moved back since.
 */
export function idGenerator(clock: Clock, latest?: string): NewId {
  let lastMillisecond = latest === undefined ? 0 : timeOfId(latest) + 1
  let sequence = 0
  const nextRandom = randomWords()
  return () => {
    const now = clock.now()
    if (now > lastMillisecond) {
      lastMillisecond = now
      sequence = 0
    } else if (++sequence > 0xffff) {
      lastMillisecond += 1
      sequence = 0
    }
    return (
      lastMillisecond.toString(16).padStart(12, '0') + sequence.toString(16).padStart(4, '0') + nextRandom()
    )
  }
}

/**
 * Returns a bound for range queries: ids created at this time or later sort after it, older ids before it.
 * @param time milliseconds since 1970
 */
export const idAt = (time: number): string =>
  `${Math.max(0, Math.ceil(time)).toString(16).padStart(12, '0')}000000000000`

/** Returns the time at which an id was created, in milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 12), 16)

/** Returns 32 random bits as hex. They are fetched in batches, because a call of `randomBytes` for each id is slow. */
function randomWords(): () => string {
  const hex = 1024 * 8
  let words = ''
  let at = hex
  return () => {
    if (at === hex) {
      words = randomBytes(hex / 2).toString('hex')
      at = 0
    }
    at += 8
    return words.slice(at - 8, at)
  }
}

const idPattern = /^[0-9a-f]{24}$/

/** Whether the text has the form of an id. Other text is not looked up in the database. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}
