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
      lastMillisecond.toString(16).padStart(12, '0') +
      sequence.toString(16).padStart(4, '0') +
      randomBytes(4).toString('hex')
    )
  }
}

const idPattern = /^[0-9a-f]{24}$/

/** Whether this could be an id of ours; what could not is never looked for. */
export function isId(text: string): boolean {
  return idPattern.test(text)
}
