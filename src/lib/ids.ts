import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'

/** Makes an id: 24 lower-case hex characters, each later in order than the one before it in this process. */
export type NewId = () => string

/**
 * 48 bits of milliseconds since 1970, 16 bits that count within the millisecond, 32 random bits.
 * A clock that steps back does not: the last millisecond is kept until time has caught up.
 */
export function idGenerator(clock: Clock): NewId {
  let lastMillisecond = 0
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
    return lastMillisecond.toString(16).padStart(12, '0') + sequence.toString(16).padStart(4, '0') + nextRandom()
  }
}

/** Before every id that is made at this time or later, and after all others; in milliseconds since 1970. */
export const idAt = (time: number): string =>
  `${Math.max(0, Math.ceil(time)).toString(16).padStart(12, '0')}000000000000`

/** 32 random bits at a time as hex, fetched many at once: one by one they would be most of what an id costs. */
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

/** Whether this could be an id of ours; what could not is never looked for. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}
