import { setTimeout as delay } from 'node:timers/promises'
import {
  attemptJob,
  enqueueNext,
  type Handler,
  leaseLost,
  processStops,
  type QueueContext,
} from './attempt.ts'
import type { Queries, Transaction } from '../db/database.ts'
import { hour } from '../../lib/durations.ts'
import { type Lane, lanes, type Slots } from './lanes.ts'
import { type ClaimedJob, claimJob, extendLease, findDueJob, releaseJob } from './store.ts'

/** Durations are in milliseconds. */
export interface WorkerSettings {
  readonly slots: Slots
  /** Time between two polls of the queue. The worker also polls when this process enqueues a job. */
  readonly pollInterval?: number
  /** Time after which another worker may claim a job, unless its worker extends the lease. */
  readonly lease?: number
  /** Time that `stop` waits for running jobs. */
  readonly grace?: number
}

/** Claims jobs of the queue and runs them in this process. */
export interface Worker {
  /** Enqueues the recurring jobs and starts to poll the queue. */
  start(): Promise<void>
  /** Extends the leases of running jobs and starts due jobs. */
  poll(): Promise<void>
  /** Returns the number of jobs of each lane that this process runs. */
  running(): Record<Lane, number>
  /** Resolves when no job runs and no poll is in progress. */
  idle(): Promise<void>
  /**
   * Claims no more jobs, aborts the running ones, waits for them, and returns those that have not ended to the queue.
   */
  stop(): Promise<void>
}

interface Running {
  readonly job: ClaimedJob
  readonly abort: AbortController
  percent: number
  text: string | null
  /** Whether the job has reported progress that is not stored yet. */
  hasUnsavedReport: boolean
  savedAt: number
}

const reportMilliseconds = 1000

/** Rejected polls are logged where they are started. */
const settled = (polls: ReadonlyMap<Lane, Promise<void>>) =>
  [...polls.values()].map((poll) => poll.catch(() => {}))

/** @param handlers the handlers by kind. The worker does not claim jobs of other kinds. */
export function jobWorker<Ctx extends QueueContext>(
  ctx: Ctx,
  handlers: Readonly<Record<string, Handler<Ctx>>>,
  { slots, pollInterval = 1000, lease = 60_000, grace = 8000 }: WorkerSettings,
): Worker {
  const { db, jobs, clock, newId, log } = ctx
  const kinds = Object.keys(handlers)
  const running = new Map<Running, Promise<void>>()
  /** The `turn_key` that was served last in each lane. */
  const served = new Map<Lane, string>()
  /** The extensions of leases in progress. */
  const saves = new Map<Running, Promise<void>>()
  /** The polls in progress. Each lane has its own, so that it does not wait for the database work of another one. */
  const polls = new Map<Lane, Promise<void>>()
  /** The lanes that are polled again at the end of their poll. The value is whether a job was just enqueued. */
  const pollAgain = new Map<Lane, boolean>()
  /** Number of failed polls in succession. Only the first one is logged. */
  let failedPolls = 0
  let polledAt = 0
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  function poll(): Promise<void> {
    return logFailures(async () => {
      // While the clock was ahead, the next runs of recurring jobs were enqueued for a time that is now far away.
      const isClockBack = clock.now() < polledAt - hour
      polledAt = clock.now()
      if (isClockBack) await enqueueRecurringJobs()
      await Promise.all(lanes.map((lane) => pollLane(lane)))
    })
  }

  async function saveReports(): Promise<void> {
    for (const run of [...running.keys()].filter(needsSave))
      saves.set(
        run,
        extend(run).finally(() => saves.delete(run)),
      )
    await Promise.all(saves.values())
  }

  /** @param isEnqueued whether the lane has just got a job. Its poll then skips the read that finds empty lanes. */
  function pollLane(lane: Lane, isEnqueued = false): Promise<void> {
    pollAgain.set(lane, isEnqueued || (pollAgain.get(lane) ?? false))
    const poll = polls.get(lane) ?? pollLaneUntilDone(lane)
    polls.set(lane, poll)
    return poll
  }

  async function pollLaneUntilDone(lane: Lane): Promise<void> {
    try {
      for (let isEnqueued = pollAgain.get(lane); isEnqueued !== undefined; isEnqueued = pollAgain.get(lane)) {
        pollAgain.delete(lane)
        // A running job whose lease has expired would be started again.
        await saveReports()
        await startDueJobs(lane, isEnqueued)
      }
    } finally {
      // A callback of the promise would run too late: a call of `pollLane` before it would have no effect.
      polls.delete(lane)
    }
  }

  async function logFailures(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      if (failedPolls > 0) log.info({ failedPolls }, 'the job queue can be read again')
      failedPolls = 0
    } catch (error) {
      failedPolls += 1
      if (failedPolls === 1) log.error({ err: error }, 'the job queue cannot be read')
    }
  }

  function enqueueRecurringJobs(): Promise<void> {
    return db.transaction(async (tx) => {
      const from = clock.now()
      for (const kind of kinds)
        await enqueueNext(tx, ctx, { kind, handler: handlers[kind] as Handler<Ctx>, from })
    })
  }

  /** Whether the lease and the progress of a job must be written now. */
  function needsSave({ hasUnsavedReport, savedAt }: Running): boolean {
    const age = clock.now() - savedAt
    return age >= lease / 3 || (hasUnsavedReport && age >= reportMilliseconds)
  }

  async function extend(run: Running): Promise<void> {
    const now = clock.now()
    const { job, percent, text } = run
    run.hasUnsavedReport = false
    run.savedAt = now
    const isExtended = await db.transaction((tx) =>
      extendLease(tx, job, { now, until: now + lease, percent, text }),
    )
    if (!isExtended) run.abort.abort(leaseLost)
  }

  async function startDueJobs(lane: Lane, isEnqueued: boolean): Promise<void> {
    for (let free = slots[lane] - runningIn(lane).length; free > 0 && !stopping; free--) {
      // An account with a running job does not get the last free slot, so that others do not wait for its end.
      const except = free === 1 ? runningIn(lane) : []
      const find = (queries: Queries) =>
        findDueJob(queries, { lane, kinds, now: clock.now(), after: served.get(lane) ?? '', except })
      // The read keeps the polls of empty lanes from writing.
      const mayHaveJob = isEnqueued || (await find(db.read)) !== undefined
      isEnqueued = false
      const job = mayHaveJob ? await db.transaction((tx) => claim(tx, find)) : undefined
      if (!job) {
        // If only the last slot is kept from some accounts, the turns go on after them.
        if (except.length === 0) served.delete(lane)
        return
      }
      served.set(lane, job.turn_key)
      start(job)
    }
  }

  /** Found in the transaction that claims it, a job cannot be claimed by another worker in between. */
  async function claim(
    tx: Transaction,
    find: (queries: Queries) => Promise<string | undefined>,
  ): Promise<ClaimedJob | undefined> {
    const id = await find(tx)
    const now = clock.now()
    return id === undefined ? undefined : claimJob(tx, { id, lease: newId(), now, until: now + lease })
  }

  /** The `turn_key` of each job of a lane that runs in this process. */
  function runningIn(lane: Lane): string[] {
    return [...running.keys()].filter(({ job }) => job.lane === lane).map(({ job }) => job.turn_key)
  }

  function start(job: ClaimedJob): void {
    const abort = new AbortController()
    if (stopping) abort.abort(processStops)
    const run: Running = { job, abort, percent: 0, text: null, hasUnsavedReport: false, savedAt: clock.now() }
    const report = (percent: number, text?: string) => {
      Object.assign(run, {
        percent: Math.min(100, Math.max(0, percent)),
        text: text ?? null,
        hasUnsavedReport: true,
      })
      if (needsSave(run)) void logFailures(saveReports)
    }
    const ended = attemptJob(ctx, handlers[job.kind] as Handler<Ctx>, job, { signal: abort.signal, report })
      .catch((error) =>
        log.error({ err: error, job: job.id, kind: job.kind }, 'the outcome of a job cannot be stored'),
      )
      .finally(() => {
        running.delete(run)
        if (!stopping) void logFailures(() => pollLane(job.lane))
      })
    running.set(run, ended)
  }

  return {
    poll,

    async start() {
      await enqueueRecurringJobs()
      jobs.onEnqueue((lane) => void logFailures(() => pollLane(lane, true)))
      timer = setInterval(poll, pollInterval)
      await poll()
    },

    running: () =>
      Object.fromEntries(lanes.map((lane) => [lane, runningIn(lane).length])) as Record<Lane, number>,

    async idle() {
      while (polls.size > 0 || running.size > 0) await Promise.all([...settled(polls), ...running.values()])
    },

    async stop() {
      stopping = true
      jobs.onEnqueue(() => {})
      clearInterval(timer)
      for (const { abort } of running.keys()) abort.abort(processStops)
      await Promise.all(settled(polls))
      await Promise.race([Promise.all(running.values()), delay(grace, undefined, { ref: false })])
      const unfinished = [...running.keys()]
      if (unfinished.length === 0) return
      try {
        await db.transaction(async (tx) => {
          for (const { job } of unfinished) await releaseJob(tx, job, clock.now())
        })
      } catch (error) {
        log.error(
          { err: error, jobs: unfinished.length },
          'running jobs cannot be returned to the queue; another worker can claim them when their leases expire',
        )
      }
    },
  }
}
