import { setTimeout as delay } from 'node:timers/promises'
import { attemptJob, enqueueNext, type Handler, leaseLost, processStops, type QueueContext } from './attempt.ts'
import { type ClaimedJob, claimJobs, extendLease, listDueJobs, releaseJob } from './store.ts'

/** All but the first in milliseconds. */
export interface WorkerSettings {
  /** Jobs that run at the same time. */
  readonly concurrency: number
  /** How often the queue is looked at when nobody says that there is work. */
  readonly poll?: number
  /** After how long without a sign of life from its worker another one takes a job over. */
  readonly lease?: number
  /** How long a stop waits for the jobs that run. */
  readonly grace?: number
}

/** Takes jobs from the queue and runs them in this process. */
export interface Worker {
  /** Puts the recurring jobs into the queue, and looks at it from now on: when there is work, and again and again. */
  start(): Promise<void>
  /** Looks at the queue: holds on to what runs, begins what is due. */
  look(): Promise<void>
  /** Resolves when nothing runs and nothing is due. */
  idle(): Promise<void>
  /** Takes no more jobs, aborts those that run, waits for them a little, and gives back what has not ended by then. */
  stop(): Promise<void>
}

interface Running {
  readonly job: ClaimedJob
  readonly abort: AbortController
  percent: number
  text: string | null
  /** Whether there is a report that is not written yet. */
  reported: boolean
  writtenAt: number
}

const reportMilliseconds = 1000

/** @param handlers by their kind; jobs of other kinds are left to other workers */
export function jobWorker<Ctx extends QueueContext>(
  ctx: Ctx,
  handlers: Readonly<Record<string, Handler<Ctx>>>,
  { concurrency, poll = 1000, lease = 60_000, grace = 8000 }: WorkerSettings,
): Worker {
  const { db, jobs, clock, newId, log } = ctx
  const kinds = Object.keys(handlers)
  const running = new Map<Running, Promise<void>>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  /** How often in succession it was in vain, for the log: a line a second helps nobody. */
  let failedLooks = 0
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  function look(): Promise<void> {
    lookAgain = true
    looking ??= lookUntilDone()
    return looking
  }

  async function lookUntilDone(): Promise<void> {
    try {
      while (lookAgain) {
        lookAgain = false
        await Promise.all([...running.keys()].filter(isDueToBeWritten).map(extend))
        await takeDueJobs()
      }
      if (failedLooks > 0) log.info({ failedLooks }, 'the job queue can be looked at again')
      failedLooks = 0
    } catch (error) {
      failedLooks += 1
      if (failedLooks === 1) log.error({ err: error }, 'the job queue cannot be looked at')
    } finally {
      // Here and not in a callback of the promise: whoever asks for a look in between would not get one.
      looking = undefined
    }
  }

  function isDueToBeWritten({ reported, writtenAt }: Running): boolean {
    const age = clock.now() - writtenAt
    return age >= lease / 3 || (reported && age >= reportMilliseconds)
  }

  async function extend(run: Running): Promise<void> {
    const now = clock.now()
    const { job, percent, text } = run
    run.reported = false
    run.writtenAt = now
    const held = await db.transaction((tx) => extendLease(tx, job, { now, until: now + lease, percent, text }))
    if (!held) run.abort.abort(leaseLost)
  }

  async function takeDueJobs(): Promise<void> {
    const free = concurrency - running.size
    if (stopping || free <= 0) return
    const now = clock.now()
    const due = await listDueJobs(db.read, { kinds, now, limit: free })
    if (due.length === 0) return
    const claim = { ids: due, lease: newId(), now, until: now + lease }
    const claimed = await db.transaction((tx) => claimJobs(tx, claim))
    for (const job of claimed) begin(job)
    // Where another worker was quicker, there may be more behind what it took.
    if (claimed.length < due.length) lookAgain = true
  }

  function begin(job: ClaimedJob): void {
    const abort = new AbortController()
    if (stopping) abort.abort(processStops)
    const run: Running = { job, abort, percent: 0, text: null, reported: false, writtenAt: clock.now() }
    const report = (percent: number, text?: string) => {
      Object.assign(run, { percent: Math.min(100, Math.max(0, percent)), text: text ?? null, reported: true })
      if (isDueToBeWritten(run)) void look()
    }
    const ended = attemptJob(ctx, handlers[job.kind] as Handler<Ctx>, job, { signal: abort.signal, report })
      .catch((error) => log.error({ err: error, job: job.id, kind: job.kind }, 'the end of a job cannot be written'))
      .finally(() => {
        running.delete(run)
        if (!stopping) void look()
      })
    running.set(run, ended)
  }

  return {
    look,

    async start() {
      await db.transaction(async (tx) => {
        const from = clock.now()
        for (const kind of kinds) await enqueueNext(tx, ctx, { kind, handler: handlers[kind] as Handler<Ctx>, from })
      })
      jobs.onWork(look)
      timer = setInterval(look, poll)
      await look()
    },

    async idle() {
      while (looking || running.size > 0) await Promise.all([looking, ...running.values()])
    },

    async stop() {
      stopping = true
      jobs.onWork(() => {})
      clearInterval(timer)
      for (const { abort } of running.keys()) abort.abort(processStops)
      await looking
      await Promise.race([Promise.all(running.values()), delay(grace, undefined, { ref: false })])
      const left = [...running.keys()]
      if (left.length === 0) return
      try {
        await db.transaction(async (tx) => {
          for (const { job } of left) await releaseJob(tx, job, clock.now())
        })
      } catch (error) {
        log.error(
          { err: error, jobs: left.length },
          'jobs cannot be given back; they are taken over when their leases end',
        )
      }
    },
  }
}
