import { Failure, fail } from '../../errors.ts'
import { type FairQueueLimits, fairQueue, type QueuedWork } from '../../lib/fair-queue.ts'
import { type FilePart, HostError, type HostMessage, type StartHost } from './host.ts'
import { type Assignment, clearTimer, hostSet, type Member as HostOf } from './host-set.ts'

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
   * - SERVER_BUSY if the callers have too many waiting jobs, the queue is full, or the job waited for a host for too long;
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
  /** The callers that wait for the answer. They are read again at each decision, because callers can join and leave. */
  callers: Iterable<string>
  /** The expected effort, in units of `costMilliseconds` on an idle machine. Default: 1. */
  cost?: number | undefined
  /** Allows the job on the hosts that long jobs leave free. Default: false. */
  isShort?: boolean | undefined
  /** Milliseconds, if they differ from those of the pool. */
  timeLimit?: number | undefined
  signal?: AbortSignal | undefined
  /** Whether the job may wait for a host without a limit. It is asked when the limit is reached. */
  isPatient?: (() => boolean) | undefined
  /** Receives the progress from 0 to 100. Starts again at 0 when the job is retried. */
  report?: ((percent: number) => void) | undefined
  /** Receives the parts of the file that the job sends. They start again at offset 0 when the job is retried. */
  receive?: ((part: FilePart) => void) | undefined
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
  /** Milliseconds that a job waits for a host. */
  waitLimit?: number
  /** Jobs after which a host is replaced, because engines leak memory. */
  recycleAfter?: number
  /** Resident memory in bytes above which a host is replaced between two jobs. */
  recycleAbove?: number
  /** Milliseconds without a job after which a host is ended. */
  idleLimit?: number
  /** The number of hosts that stay when they are idle. Default: none if there is an `idleLimit`, all if there is none. */
  kept?: number
  /**
   * Milliseconds after which another host is started while all have jobs, so that the next caller does not wait for its start.
   * Default: none is started before it is needed.
   */
  spareAfter?: number
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
  receive: (part: FilePart) => void
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
}

type Member = HostOf<Task>

/** Creates a pool. Starts no host yet. */
export function createPool<Job, Answer>({
  startHost,
  size,
  reserved = 0,
  maxPerCaller = Math.max(1, Math.floor((size - reserved) / 2)),
  timeLimit = 60_000,
  waitLimit = 30_000,
  recycleAfter = Number.POSITIVE_INFINITY,
  recycleAbove = Number.POSITIVE_INFINITY,
  idleLimit,
  kept = idleLimit === undefined ? size : 0,
  spareAfter,
  queueLimits = { total: 3000, perCaller: 300 },
}: PoolOptions): Pool<Job, Answer> {
  const maxLong = size - reserved
  const hosts = hostSet<Task>({
    startHost,
    size,
    startLimit: timeLimit,
    recycleAfter,
    recycleAbove,
    idleLimit,
    kept,
    spareAfter,
    onReady: handleReady,
    onMessage: handleMessage,
    onEnd: handleEnd,
  })
  const { members } = hosts
  const waiting = fairQueue<Task>(queueLimits)
  /** Called whenever a host becomes ready or idle, or the queue becomes empty. */
  const onChange = new Set<() => void>()
  let closed = false

  /**
   * Starts a host. If the system cannot start one, returns false, and rejects the waiting jobs if there is no other host.
   * @param retry the first job of the host
   */
  function start(retry?: Assignment<Task>): boolean {
    try {
      hosts.start(retry)
      return true
    } catch (error) {
      if (members.size === 0) rejectWaiting(error)
      return false
    }
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
    for (const { assignment } of members) if (assignment) add(assignment.task, assignment.caller)
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
    // A host that is being replaced works only while no other is free.
    for (const member of [...members].sort((a, b) => Number(!!a.successor) - Number(!!b.successor))) {
      if (!member.isReady || member.assignment) continue
      const next = waiting.take(runningJobs().canStart)
      if (next) assign(member, { task: next.work, caller: next.caller })
      else hosts.idle(member)
    }
    const starting = [...members].filter(({ isReady, assignment }) => !isReady && !assignment).length
    const missing = Math.min(size - members.size, countStartable() - starting)
    for (let started = 0; started < missing && start(); started++);
    hosts.planSpare()
    notify()
  }

  function notify(): void {
    for (const check of onChange) check()
  }

  function assign(member: Member, assignment: Assignment<Task>): void {
    const { task } = assignment
    clearTimeout(member.timer)
    Object.assign(member, { assignment, startedAt: performance.now() })
    member.host.hold(true)
    member.timer = setTimeout(() => {
      const message = `This took longer than ${task.timeLimit / 1000} s. Try again later, or with a smaller score.`
      stopTask(member, new Failure('ENGINE_TIMEOUT', { message }))
    }, task.timeLimit)
    member.host.send(task.job)
  }

  /** Rejects the job of a host, and ends the host. Another one starts, so that it is ready for the next job. */
  function stopTask(member: Member, reason: unknown): void {
    detachTask(member)?.reject(reason)
    hosts.end(member)
    refill()
  }

  function handleReady(member: Member): void {
    if (member.assignment) assign(member, member.assignment)
    dispatch()
  }

  function handleMessage(member: Member, message: Exclude<HostMessage, { kind: 'ready' }>): void {
    switch (message.kind) {
      case 'progress':
        member.assignment?.task.report(message.percent)
        break
      case 'part':
        member.assignment?.task.receive(message)
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
        hosts.end(member)
        failJob(member, new HostError(message.message))
        refill()
    }
  }

  function finishJob(member: Member, memory: number): void {
    hosts.finish(member, memory)
    dispatch()
  }

  /**
   * Called when a host has ended by itself. If it never became ready, another one would hardly start now: the waiting jobs are
   * left to the other hosts, or rejected if there is none.
   */
  function handleEnd(member: Member, error: HostError): void {
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
    const caller = member.assignment?.caller
    const task = detachTask(member)
    if (!task || caller === undefined) return
    const isRetried = member.jobsDone > 0 && !task.signal?.aborted
    if (isRetried && start({ task, caller })) waiting.charge(caller, task.cost)
    else if (isRetried || !member.isReady) task.reject(new Failure('ENGINE_UNAVAILABLE', { cause: error }))
    else task.reject(error)
  }

  /** Removes the job from a host. */
  function detachTask(member: Member): Task | undefined {
    const { assignment, startedAt } = member
    clearTimer(member)
    member.assignment = undefined
    if (!assignment) return undefined
    const { task, caller } = assignment
    const cost = (performance.now() - startedAt) / costMilliseconds
    if (cost > task.cost) waiting.charge(caller, cost - task.cost)
    return task
  }

  function refill(): void {
    if (!closed && members.size < Math.max(1, kept)) start()
    dispatch()
  }

  function abort(task: Task): void {
    waiting.remove(task)
    task.reject(task.signal?.reason)
    for (const member of members) {
      if (member.assignment?.task !== task) continue
      if (!member.isReady) {
        // The host starts for the other jobs.
        member.assignment = undefined
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
        receive: options.receive ?? (() => {}),
        job,
        resolve,
        reject,
      }
      for (const displaced of waiting.add(task)) displaced.reject(new Failure('SERVER_BUSY'))
      const waitTimer = setTimeout(() => {
        if (options.isPatient?.() || !waiting.remove(task)) return
        reject(waitedTooLong(waitLimit))
        notify()
      }, waitLimit).unref()
      const onAbort = () => abort(task)
      signal?.addEventListener('abort', onAbort, { once: true })
      dispatch()
      try {
        return (await promise) as Answer
      } finally {
        clearTimeout(waitTimer)
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
      busy: [...members].filter(({ assignment }) => assignment).length,
      waiting: waiting.length,
    }),
    async close() {
      closed = true
      await until(
        () =>
          waiting.length === 0 &&
          [...members].every(({ assignment }) => !assignment || assignment.task.signal?.aborted),
      )
      hosts.close()
    },
  }
}

function waitedTooLong(milliseconds: number): Failure {
  const seconds = milliseconds / 1000
  const message = `The server is busy: this waited longer than ${seconds} s for its turn. Try again later.`
  return new Failure('SERVER_BUSY', { message, retryAfter: seconds })
}

function failureOf({ code, param, message }: Extract<HostMessage, { kind: 'failure' }>): Failure {
  return new Failure(code, param === undefined ? { message } : { param, message })
}
