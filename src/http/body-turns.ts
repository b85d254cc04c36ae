import { concurrencyLimiter } from '../lib/concurrency-limiter.ts'
import type { Waiter } from '../lib/shared-runs.ts'

/** The number of large bodies of one caller that are read and handled at the same time. */
const turnsPerCaller = 2
/**
 * The maximum number of bodies that wait to be read, of all callers and of one. Each of them uses a connection and what Node
 * reads ahead, some 64 KiB.
 */
const [maxWaiting, maxWaitingPerCaller] = [1000, 250]
/** Milliseconds after which a body that has not arrived completely gives its turn to the next one. */
const defaultPatience = 250

/**
 * Lets each caller have two large bodies read and handled at the same time. Reading and parsing a body takes time of the event
 * loop, so a caller with many clients would otherwise stop everyone. A body that waits for its turn is not read: its client
 * cannot send more than the buffers of the connection hold.
 *
 * A slow body must not stop the others of its caller, for example of a user with a bad line. If it has not arrived after a
 * quarter of a second, it gives its turn to the next one, and waits for another turn when it is complete.
 */
export interface BodyTurns {
  /**
   * Waits until a body may be read.
   * @throws SERVER_BUSY if 250 bodies of the caller or 1,000 of all wait; the reason of the signal when it is aborted
   */
  start(waiter: Waiter): Promise<BodyTurn>
}

export interface BodyTurn {
  /** Waits until the body, which has arrived completely, may be handled. Rejects as `start` does. */
  arrived(): Promise<void>
  /** Gives the turn to the next body. */
  end(): void
}

/** @param patience milliseconds that a body has to arrive before the next one is read */
export function bodyTurns(patience = defaultPatience): BodyTurns {
  const limiter = concurrencyLimiter({
    slots: Number.POSITIVE_INFINITY,
    slotsPerCaller: turnsPerCaller,
    maxWaiting,
    maxWaitingPerCaller,
  })

  return {
    async start(waiter) {
      let release: (() => void) | undefined = await limiter.acquire(waiter)
      let isOver = false
      const yieldTurn = () => {
        release?.()
        release = undefined
      }
      const timer = setTimeout(yieldTurn, patience).unref()
      return {
        async arrived() {
          clearTimeout(timer)
          if (release || isOver) return
          const acquired = await limiter.acquire(waiter)
          if (isOver) acquired()
          else release = acquired
        },
        end() {
          clearTimeout(timer)
          isOver = true
          yieldTurn()
        },
      }
    },
  }
}
