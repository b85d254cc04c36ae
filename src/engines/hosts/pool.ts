import { Failure, fail } from '../../errors.ts'
import { type FairQueueLimits, fairQueue, type QueuedWork } from '../../lib/fair-queue.ts'
import { type Host, HostError, type HostMessage, type StartHost } from './host.ts'

/**
 * Runs jobs on hosts of one kind. Callers are served in turn (`lib/fair-queue.ts`), and no caller occupies all hosts while there
 * are several.
 */
export interface Pool<Job, Answer> {
  /**
   * Runs a job. Rejects with
   * - the Failure that the job threw, because its input has a mistake;
   * - a HostError if a fresh host breaks on the job. If a used host breaks, the job is retried once on a
   * fresh one, because the host may be worn out;
   * - ENGINE_TIMEOUT if the job exceeds its time limit;
   * - SERVER_BUSY if the callers have too many waiting jobs, or the queue is full;
   * - ENGINE_UNAVAILABLE if no host starts, or after `close`;
   * - the reason of `signal` when it is aborted.
   */
  run(job: Job, options: RunOptions): Promise<Answer>
  /**
   * Starts the hosts that stay when they are idle, and resolves when they are ready. Without this call, a host starts when it
   * is first needed.
   */
  warm(): Promise<void>
  /** The ids of the running processes. */
  processes(): number[]
  stats(): PoolStats
  /** Rejects new jobs, finishes the accepted ones, and ends the hosts. */
  close(): Promise<void>
}

/** The state of a pool at one moment. */
export interface PoolStats {
  /** The maximum number of hosts. */
  readonly size: number
  /** The number of hosts that run, and of those that have a job. */
  readonly started: number
  readonly busy: number
  /** The number of waiting jobs. */
  readonly waiting: number
}

export interface RunOptions {
  /** Everyone who waits for the answer. It is read again at each decision, so callers can join and leave. */
  callers: Iterable<string>
  /** The expected effort, in units of `costMilliseconds` on an idle machine. Default: 1. */
  cost?: number | undefined
  /** Allows the job on the hosts that long jobs leave free. Default: false. */
  isShort?: boolean | undefined
  /** Milliseconds, if they differ from those of the pool. */
  timeLimit?: number | undefined
  signal?: AbortSignal | undefined
  /** Receives the progress from 0 to 100. Starts again at 0 when the job is retried. */
  report?: ((percent: number) => void) | undefined
}

export interface PoolOptions {
  startHost: StartHost
  /** The maximum number of hosts. */
  size: number
  /** The number of these hosts that run short jobs only. Default: 0. */
  reserved?: number
  /** The maximum number of hosts that run jobs of one caller. Default: half of those that run any job, but at least one. */
  maxPerCaller?: number
  /** Milliseconds for a job, and for a host to start. */
  timeLimit?: number
  /** Jobs after which a host is replaced, because engines leak memory. */
  recycleAfter?: number
  /** Resident memory in bytes above which a host is replaced between two jobs. */
  recycleAbove?: number
  /** Milliseconds without a job after which a host is ended. */
  idleLimit?: number
  /** The number of hosts that stay when they are idle. Default: none if there is an `idleLimit`, all if there is none. */
  kept?: number
  /** The maximum cost of waiting jobs, of all callers and of one. */
  queueLimits?: FairQueueLimits
}

/** The milliseconds of a host that a cost of 1 stands for. A job that takes longer is charged for them. */
const costMilliseconds = 200

/**
 * Milliseconds that a running job may finish after its signal was aborted, because a host takes about as long to start. Its
 * answer is not used.
 */
const abortGrace = 1500

interface Task extends QueuedWork {
  job: unknown
  isShort: boolean
  timeLimit: number
  signal: AbortSignal | undefined
  report: (percent: number) => void
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
}

interface Member {
  host: Host
  isReady: boolean
  jobsDone: number
  /** The task that runs, or that runs when the host is ready, because another host broke on it. */
  task: Task | undefined
  /** The caller whose turn it was when the task was taken. */
  caller: string | undefined
  startedAt: number
  /** Limits the start, the job or the idle time. */
  timer: NodeJS.Timeout | undefined
}

/** Creates a pool. Starts no host yet. */
export function createPool<Job, Answer>({
  startHost,
  size,
  reserved = 0,
  maxPerCaller = Math.max(1, Math.floor((size - reserved) / 2)),
  timeLimit = 60_000,
  recycleAfter = Number.POSITIVE_INFINITY,
  recycleAbove = Number.POSITIVE_INFINITY,
  idleLimit,
  kept = idleLimit === undefined ? size : 0,
  queueLimits = { total: 3000, perCaller: 300 },
}: PoolOptions): Pool<Job, Answer> {
  const maxLong = size - reserved
  const members = new Set<Member>()
  const waiting = fairQueue<Task>(queueLimits)
  /** Called whenever a host becomes ready or idle, or the queue becomes empty. */
  const onChange = new Set<() => void>()
  let closed = false

  /**
   * Starts a host. If the system cannot start one, returns false, and rejects the waiting jobs if there is no other host.
   * @param retry the first task of the host
   */
  function start(retry?: { task: Task; caller: string }): boolean {
    let host: Host
    try {
      host = startHost({
        onMessage: (message) => handleMessage(member, message),
        onEnd: (error) => handleEnd(member, error),
      })
    } catch (error) {
      if (members.size === 0) rejectWaiting(error)
      return false
    }
    const member: Member = {
      host,
      isReady: false,
      jobsDone: 0,
      task: retry?.task,
      caller: retry?.caller,
      startedAt: performance.now(),
      timer: undefined,
    }
    member.timer = setTimeout(() => {
      host.kill()
      handleEnd(member, new HostError(`It was not ready after ${timeLimit} ms.`))
    }, timeLimit)
    members.add(member)
    return true
  }

  function rejectWaiting(cause: unknown): void {
    for (const task of [...waiting]) {
      waiting.remove(task)
      task.reject(new Failure('ENGINE_UNAVAILABLE', { cause }))
    }
  }

  /** Counts the running jobs, to decide which waiting ones can start. */
  function runningJobs() {
    const byCaller = new Map<string, number>()
    let long = 0
    const add = (task: Task, caller: string) => {
      byCaller.set(caller, (byCaller.get(caller) ?? 0) + 1)
      if (!task.isShort) long++
    }
    for (const { task, caller } of members) if (task && caller !== undefined) add(task, caller)
    return {
      add,
      canStart: ({ isShort }: Task, caller: string) =>
        (byCaller.get(caller) ?? 0) < maxPerCaller && (isShort || long < maxLong),
    }
  }

  /** Returns how many of the waiting jobs could start now if there were hosts for them. */
  function countStartable(): number {
    const { add, canStart } = runningJobs()
    let count = 0
    for (const task of waiting) {
      const caller = [...task.callers].find((caller) => canStart(task, caller))
      if (caller === undefined) continue
      add(task, caller)
      count++
    }
    return count
  }

  /** Sends waiting jobs to idle hosts, and starts hosts while more jobs could start than hosts are starting. */
  function dispatch(): void {
    for (const member of members) {
      if (!member.isReady || member.task) continue
      const next = waiting.take(runningJobs().canStart)
      if (next) assign(member, next.work, next.caller)
      else idle(member)
    }
    const starting = [...members].filter(({ isReady, task }) => !isReady && !task).length
    const missing = Math.min(size - members.size, countStartable() - starting)
    for (let started = 0; started < missing && start(); started++);
    notify()
  }

  function notify(): void {
    for (const check of onChange) check()
  }

  function assign(member: Member, task: Task, caller: string): void {
    clearTimeout(member.timer)
    Object.assign(member, { task, caller, startedAt: performance.now() })
    member.host.hold(true)
    member.timer = setTimeout(() => {
      const message = `This took longer than ${task.timeLimit / 1000} s. Try again later, or with a smaller score.`
      stopTask(member, new Failure('ENGINE_TIMEOUT', { message }))
    }, task.timeLimit)
    member.host.send(task.job)
  }

  /** Rejects the job of a host, and ends the host. */
  function stopTask(member: Member, reason: unknown): void {
    detachTask(member)?.reject(reason)
    replace(member)
  }

  function idle(member: Member): void {
    member.host.hold(false)
    if (idleLimit === undefined || member.timer) return
    member.timer = setTimeout(() => {
      if (members.size > kept) end(member)
    }, idleLimit).unref()
  }

  function handleMessage(member: Member, message: HostMessage): void {
    switch (message.kind) {
      case 'ready':
        member.isReady = true
        clearTimer(member)
        if (member.task && member.caller !== undefined) assign(member, member.task, member.caller)
        dispatch()
        break
      case 'progress':
        member.task?.report(message.percent)
        break
      case 'answer':
        detachTask(member)?.resolve(message.answer)
        finishJob(member, message.memory)
        break
      case 'failure':
        detachTask(member)?.reject(failureOf(message))
        finishJob(member, message.memory)
        break
      case 'error':
        end(member)
        failJob(member, new HostError(message.message))
        refill()
    }
  }

  /** Called after a job. The host takes the next one unless it must be replaced. */
  function finishJob(member: Member, memory: number): void {
    member.jobsDone++
    if (member.jobsDone >= recycleAfter || memory > recycleAbove) replace(member)
    else dispatch()
  }

  /**
   * Called when a host has ended by itself. If it never became ready, another one would hardly start now: the waiting jobs are
   * left to the other hosts, or rejected if there is none.
   */
  function handleEnd(member: Member, error: HostError): void {
    members.delete(member)
    clearTimer(member)
    failJob(member, error)
    if (member.isReady || members.size === 0) {
      if (!member.isReady) rejectWaiting(error)
      dispatch()
    } else notify()
  }

  /**
   * Handles the job of a host that broke, after the host was removed: retries it on a host that is started for it, or rejects it
   * if the host was fresh. The retry keeps the turn of its caller.
   */
  function failJob(member: Member, error: HostError): void {
    const { caller } = member
    const task = detachTask(member)
    if (!task || caller === undefined) return
    const isRetried = member.jobsDone > 0 && !task.signal?.aborted
    if (isRetried && start({ task, caller })) waiting.charge(caller, task.cost)
    else if (isRetried || !member.isReady) task.reject(new Failure('ENGINE_UNAVAILABLE', { cause: error }))
    else task.reject(error)
  }

  /** Removes the job from a host. */
  function detachTask(member: Member): Task | undefined {
    const { task, caller, startedAt } = member
    if (task && caller !== undefined) {
      const cost = (performance.now() - startedAt) / costMilliseconds
      if (cost > task.cost) waiting.charge(caller, cost - task.cost)
    }
    clearTimer(member)
    member.task = undefined
    member.caller = undefined
    return task
  }

  /** Ends a host and starts its replacement, so that it is ready for the next job. */
  function replace(member: Member): void {
    end(member)
    refill()
  }

  function refill(): void {
    if (!closed && members.size < Math.max(1, kept)) start()
    dispatch()
  }

  function end(member: Member): void {
    members.delete(member)
    clearTimer(member)
    member.host.kill()
  }

  function abort(task: Task): void {
    waiting.remove(task)
    task.reject(task.signal?.reason)
    for (const member of members) {
      if (member.task !== task) continue
      if (!member.isReady) {
        // The host starts for the other jobs.
        Object.assign(member, { task: undefined, caller: undefined })
        continue
      }
      clearTimeout(member.timer)
      const rest = Math.min(abortGrace, task.timeLimit) - (performance.now() - member.startedAt)
      member.timer = setTimeout(() => stopTask(member, task.signal?.reason), Math.max(0, rest))
    }
    notify()
  }

  /** Resolves when `done` returns true. Checks again at every change. */
  function until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isDone()) return
        onChange.delete(check)
        resolve()
      }
      onChange.add(check)
      check()
    })
  }

  return {
    async run(job, options) {
      const { signal } = options
      signal?.throwIfAborted()
      if (closed) fail('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' })
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const task: Task = {
        callers: options.callers,
        cost: options.cost ?? 1,
        isShort: options.isShort ?? false,
        timeLimit: options.timeLimit ?? timeLimit,
        signal,
        report: options.report ?? (() => {}),
        job,
        resolve,
        reject,
      }
      for (const displaced of waiting.add(task)) displaced.reject(new Failure('SERVER_BUSY'))
      const onAbort = () => abort(task)
      signal?.addEventListener('abort', onAbort, { once: true })
      dispatch()
      try {
        return (await promise) as Answer
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    async warm() {
      while (members.size < kept && start());
      await until(() => [...members].every(({ isReady }) => isReady))
      if (members.size === 0) fail('ENGINE_UNAVAILABLE', { message: 'The engine failed to start.' })
    },
    processes: () => [...members].flatMap(({ host: { pid } }) => pid ?? []),
    stats: () => ({
      size,
      started: members.size,
      busy: [...members].filter(({ task }) => task).length,
      waiting: waiting.length,
    }),
    async close() {
      closed = true
      await until(
        () => waiting.length === 0 && [...members].every(({ task }) => !task || task.signal?.aborted),
      )
      for (const member of members) end(member)
    },
  }
}

function clearTimer(member: Member): void {
  clearTimeout(member.timer)
  member.timer = undefined
}

function failureOf({ code, param, message }: Extract<HostMessage, { kind: 'failure' }>): Failure {
  return new Failure(code, param === undefined ? { message } : { param, message })
}
