import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { fail } from '../../../errors.ts'
import { second } from '../../../lib/durations.ts'
import { PulledStream } from '../../../lib/pulled-stream.ts'
import type { ScoreState } from './changes.store.ts'
import { changeEvent, commentLine, type Sees, endEvent, type EndReason } from './change-events.ts'

/** Milliseconds between two looks at the scores that are followed. */
const lookMilliseconds = 500
/** How often the credentials and the access of a follower are checked if nothing says that they changed. */
const checkMilliseconds = 5 * second
/** How often something is sent, so that proxies do not close the connection. */
const beatMilliseconds = 15 * second
/** Checks that run at the same time. */
const checkBatch = 20

/** The streams that one caller, and all callers of a process together, can have open. */
export const streamLimits = { account: 16, network: 128, process: 2000 } as const

/** Seconds after which a client can ask for a stream again. */
const retryAfter = 30

/** What a follower may see, or why the stream must end. */
export type Admission = Sees | EndReason

export interface Follow {
  readonly score: string
  /** Whom the stream counts for. */
  readonly caller: string
  readonly isAccount: boolean
  readonly state: ScoreState
  readonly sees: Sees
  readonly lastEventId: string | undefined
  /** Checks the credentials and the access again. */
  admit(): Promise<Admission>
}

/** Follows scores for readers who have them open. */
export interface ChangeFeed {
  /**
   * Opens a stream of events.
   * @returns the stream, and a function to call when its client has gone
   * @throws TOO_MANY_STREAMS
   */
  follow(follow: Follow): { stream: Readable; leave(): void }
  /** Ends all streams. Later ones end at once. */
  close(): void
}

interface Follower {
  readonly follow: Follow
  readonly stream: PulledStream
  sees: Sees
  latest: ScoreState
  /** When the credentials and the access are checked again, and when something must be sent, as milliseconds of the process. */
  checkAt: number
  beatAt: number
}

/**
 * Creates the feed of this process. It reads the scores that are followed again and again, because that works alike with SQLite
 * and with several processes at one PostgreSQL database, and no change can be missed. The look is one query by primary key. A
 * follower gets the difference to what was sent before, so nothing is stored for it.
 * @param read returns the states of scores by id
 */
export function changeFeed(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, ScoreState>>,
  log: Pick<Logger, 'warn'>,
): ChangeFeed {
  const followers = new Set<Follower>()
  const streamsOf = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function count(caller: string, more: number): void {
    const streams = (streamsOf.get(caller) ?? 0) + more
    if (streams > 0) streamsOf.set(caller, streams)
    else streamsOf.delete(caller)
  }

  function leave(follower: Follower): void {
    if (!followers.delete(follower)) return
    count(follower.follow.caller, -1)
    follower.stream.destroy()
  }

  function end(follower: Follower, reason: EndReason): void {
    if (!followers.delete(follower)) return
    count(follower.follow.caller, -1)
    follower.stream.finish(endEvent(reason))
  }

  async function look(): Promise<void> {
    // A follower who comes during the query is not in its answer.
    const present = [...followers]
    const states = await read([...new Set(present.map(({ follow }) => follow.score))])
    const now = performance.now()
    const due: Follower[] = []
    for (const follower of present) {
      const { latest, stream } = follower
      const state = states.get(follower.follow.score)
      if (!state || state.trashed || state.deletion_at !== null) end(follower, 'deleted')
      else {
        const mayLoseAccess = state.sharing !== latest.sharing || state.modified !== latest.modified
        follower.latest = state
        if (mayLoseAccess || follower.checkAt <= now) due.push(follower)
        else stream.wake()
      }
      if (follower.beatAt <= now) {
        follower.beatAt = now + beatMilliseconds
        stream.offer(commentLine)
      }
    }
    for (let start = 0; start < due.length; start += checkBatch)
      await Promise.all(due.slice(start, start + checkBatch).map(check))
  }

  async function check(follower: Follower): Promise<void> {
    const admission = await follower.follow.admit()
    if (typeof admission === 'string') return end(follower, admission)
    follower.checkAt = performance.now() + checkMilliseconds
    follower.sees = admission
    follower.stream.wake()
  }

  function lookLater(): void {
    timer ??= setTimeout(async () => {
      try {
        await look()
      } catch (error) {
        // The database may be away for a moment. The next look shows what has changed meanwhile.
        if (!isClosed) log.warn({ err: error }, 'the changes of scores could not be read')
      }
      timer = undefined
      if (followers.size > 0 && !isClosed) lookLater()
    }, lookMilliseconds).unref()
  }

  return {
    follow(follow) {
      const { caller, isAccount, lastEventId } = follow
      const limit = isAccount ? streamLimits.account : streamLimits.network
      if ((streamsOf.get(caller) ?? 0) >= limit || followers.size >= streamLimits.process)
        fail('TOO_MANY_STREAMS', { retryAfter })
      let sent = lastEventId
      let isFirst = true
      const stream: PulledStream = new PulledStream(() => {
        const event = changeEvent(follower.latest, follower.sees, sent, isFirst)
        isFirst = false
        if (event) sent = event.id
        return event?.text
      })
      const now = performance.now()
      const follower: Follower = {
        follow,
        stream,
        sees: follow.sees,
        latest: follow.state,
        checkAt: now + checkMilliseconds,
        beatAt: now + beatMilliseconds,
      }
      followers.add(follower)
      count(caller, 1)
      if (isClosed) end(follower, 'shutdown')
      else lookLater()
      return { stream, leave: () => leave(follower) }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const follower of followers) end(follower, 'shutdown')
    },
  }
}
