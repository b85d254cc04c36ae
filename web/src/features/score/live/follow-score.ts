import { callStream, Refusal } from '../../../app/client.ts'
import { eventsIn, type StreamEvent } from './events.ts'

/** What of a score has changed. */
export type Change = 'revision' | 'details' | 'comments' | 'sharing'

/** Why a score can no longer be followed. */
export type Ended = 'deleted' | 'access' | 'session'

interface Options {
  readonly score: string
  readonly sharingKey: string | undefined
  readonly signal: AbortSignal
  onChange(changes: readonly Change[]): void
}

/** Milliseconds in which the first event must arrive: a proxy that keeps events back makes streams useless. */
const firstEventMs = 10_000
/** Milliseconds in which anything must arrive. The server sends something every 15 seconds. */
const silenceMs = 45_000
/** Milliseconds between two single events, if streams do not work. */
const pollMs = 8_000
/** How often single events are asked for before a stream is tried again. */
const pollsBeforeStream = 8

/**
 * Follows a score while the page is visible, by a stream if possible, or else by asking again and again. Goes on where it has stopped.
 * @returns why it ended; undefined if the signal was aborted
 */
export async function followScore({
  score,
  sharingKey,
  signal,
  onChange,
}: Options): Promise<Ended | undefined> {
  let last: string | undefined
  let failures = 0
  while (!signal.aborted) {
    await visible(signal)
    const isStream = failures < 2 || failures % pollsBeforeStream === 0
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    const stopIfHidden = () => {
      if (document.hidden) stop()
    }
    signal.addEventListener('abort', stop)
    document.addEventListener('visibilitychange', stopIfHidden)
    let timer = setTimeout(stop, firstEventMs)
    const onSign = () => {
      clearTimeout(timer)
      timer = setTimeout(stop, silenceMs)
    }
    let isShutdown = false
    try {
      const body = await callStream('getScoreChanges', {
        params: { score },
        query: { ...(sharingKey !== undefined && { sharingKey }), ...(isStream && { follow: true }) },
        signal: attempt.signal,
        ...(last !== undefined && { lastEventId: last }),
      })
      for await (const event of eventsIn(body, onSign)) {
        const reason = endOf(event)
        if (reason === 'shutdown') isShutdown = true
        else if (reason) return reason
        else {
          const isFirst = last === undefined
          last = event.id
          if (isStream) failures = 0
          const { changed } = JSON.parse(event.data) as { changed: Change[] }
          // The page has read the comments before it began to follow.
          if (isFirst) onChange(['comments'])
          else if (changed.length > 0) onChange(changed)
        }
      }
      if (!isStream || (!isShutdown && !signal.aborted)) failures++
    } catch (error) {
      if (error instanceof Refusal && [401, 403, 404].includes(error.status)) return 'access'
      if (error instanceof Refusal && error.status === 409) return 'deleted'
      if (!document.hidden) failures++
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      document.removeEventListener('visibilitychange', stopIfHidden)
    }
    // Not all pages come back at the same moment after the server has started again.
    if (!document.hidden) await pause((failures < 2 ? 1000 : pollMs) * (1 + Math.random()), signal)
  }
  return undefined
}

const endOf = ({ type, data }: StreamEvent): Ended | 'shutdown' | undefined =>
  type === 'end' ? (JSON.parse(data) as { reason: Ended | 'shutdown' }).reason : undefined

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Waits until the page is visible, or the signal is aborted. */
function visible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
    look()
  })
}
