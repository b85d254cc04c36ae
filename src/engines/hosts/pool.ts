import { Failure, fail } from '../../errors.ts'
import { type Host, HostError, type HostMessage, type StartHost } from './host.ts'

/** Runs jobs on hosts of one kind, in the order in which they arrive. */
export interface Pool<Job, Answer> {
  /**
   * Runs a job. Rejects with
   * - the Failure that the job threw, because its input has a mistake;
   * - a HostError if a fresh host breaks on the job. If a used host breaks, the job is retried once on a
   * fresh one, because the host may be worn out;
   * - ENGINE_UNAVAILABLE if the job exceeds the time limit (the machine may be overloaded), if the queue is
   * full, if no host starts, or after `close`;
   * - the reason of `signal` when it is aborted.
   */
  run(job: Job, options?: RunOptions): Promise<Answer>
  /**
   * Starts all hosts and resolves when they are ready. Without this call, a host starts when it is first
   * needed.
   */
  warm(): Promise<void>
  /** The ids of the running processes. */
  processes(): number[]
  /** Rejects new jobs, finishes the accepted ones, and ends the hosts. */
  close(): Promise<void>
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Receives the progress from 0 to 100. Starts again at 0 when the job is retried. */
  report?: ((percent: number) => void) | undefined
}

export interface PoolOptions {
  startHost: StartHost
  /** The maximum number of hosts. */
  size: number
  /** Milliseconds for a job, and for a host to start. */
  timeLimit?: number
  /** Jobs after which a host is replaced, because engines leak memory. */
  recycleAfter?: number
  /** Resident memory in bytes above which a host is replaced between two jobs. */
  recycleAbove?: number
  /** Milliseconds without a job after which a host is ended. */
  idleLimit?: number
  /** The maximum number of waiting jobs. */
  queueLimit?: number
}

interface Task {
  job: unknown
  signal: AbortSignal | undefined
  report: (percent: number) => void
  resolve: (answer: unknown) => void
  reject: (error: unknown) => void
}

interface Member {
  host: Host
  isReady: boolean
  jobsDone: number
  task: Task | undefined
  /** Limits the start, the job or the idle time. */
  timer: NodeJS.Timeout | undefined
}

/** Creates a pool. Starts no host yet. */
export function createPool<Job, Answer>({
  startHost,
  size,
  timeLimit = 60_000,
  recycleAfter = Number.POSITIVE_INFINITY,
  recycleAbove = Number.POSITIVE_INFINITY,
  idleLimit,
  queueLimit = 100,
}: PoolOptions): Pool<Job, Answer> {
  const members = new Set<Member>()
  const waiting: Task[] = []
  /** Called whenever a host becomes ready or idle, or the queue becomes empty. */
  const onChange = new Set<() => void>()
  let closed = false

  /** Starts a host. If the system cannot start one, rejects the waiting jobs and returns false. */
  function start(): boolean {
    let host: Host
    try {
      host = startHost({
        onMessage: (message) => handleMessage(member, message),
        onEnd: (error) => handleEnd(member, error),
      })
    } catch (error) {
      rejectWaiting(error)
      return false
    }
    const member: Member = { host, isReady: false, jobsDone: 0, task: undefined, timer: undefined }
    member.timer = setTimeout(() => {
      host.kill()
      handleEnd(member, new HostError(`It was not ready after ${timeLimit} ms.`))
    }, timeLimit)
    members.add(member)
    return true
  }

  function rejectWaiting(cause: unknown): void {
    for (const task of waiting.splice(0)) task.reject(new Failure('ENGINE_UNAVAILABLE', { cause }))
  }

  /** Sends waiting jobs to idle hosts, and starts hosts while more jobs wait than hosts are starting. */
  function dispatch(): void {
    for (const member of members) {
      if (!member.isReady || member.task) continue
      const task = waiting.shift()
      if (task) assign(member, task)
      else idle(member)
    }
    const starting = [...members].filter(({ isReady }) => !isReady).length
    const missing = Math.min(size - members.size, waiting.length - starting)
    for (let started = 0; started < missing && start(); started++);
    for (const check of onChange) check()
  }

  function assign(member: Member, task: Task): void {
    clearTimeout(member.timer)
    member.task = task
    member.host.hold(true)
    member.timer = setTimeout(() => {
      const message = `This took longer than ${timeLimit / 1000} s. Try again, or with a smaller score.`
      detachTask(member)?.reject(new Failure('ENGINE_UNAVAILABLE', { message }))
      replace(member)
    }, timeLimit)
    member.host.send(task.job)
  }

  function idle(member: Member): void {
    member.host.hold(false)
    if (idleLimit === undefined || member.timer) return
    member.timer = setTimeout(() => end(member), idleLimit).unref()
  }

  function handleMessage(member: Member, message: HostMessage): void {
    switch (message.kind) {
      case 'ready':
        member.isReady = true
        clearTimer(member)
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
        failJob(member, new HostError(message.message))
        replace(member)
    }
  }

  /** Called after a job. The host takes the next one unless it must be replaced. */
  function finishJob(member: Member, memory: number): void {
    member.jobsDone++
    if (member.jobsDone >= recycleAfter || memory > recycleAbove) replace(member)
    else dispatch()
  }

  /** Called when a host has ended by itself. If it never became ready, the waiting jobs are rejected. */
  function handleEnd(member: Member, error: HostError): void {
    members.delete(member)
    clearTimer(member)
    if (!member.isReady) rejectWaiting(error)
    failJob(member, error)
    dispatch()
  }

  /**
   * Handles the job of a host that broke: retries it on a fresh host, or rejects it if the host was fresh.
   */
  function failJob(member: Member, error: HostError): void {
    const task = detachTask(member)
    if (!task) return
    if (member.jobsDone > 0) waiting.unshift(task)
    else task.reject(error)
  }

  /** Removes the job from a host. */
  function detachTask(member: Member): Task | undefined {
    const { task } = member
    clearTimer(member)
    member.task = undefined
    return task
  }

  /** Ends a host and starts its replacement, so that it is ready for the next job. */
  function replace(member: Member): void {
    end(member)
    if (!closed) start()
    dispatch()
  }

  function end(member: Member): void {
    members.delete(member)
    clearTimer(member)
    member.host.kill()
  }

  function abort(task: Task): void {
    const index = waiting.indexOf(task)
    if (index >= 0) waiting.splice(index, 1)
    task.reject(task.signal?.reason)
    for (const member of members) {
      if (member.task !== task) continue
      detachTask(member)
      replace(member)
    }
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
    async run(job, { signal, report = () => {} } = {}) {
      signal?.throwIfAborted()
      if (closed) fail('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' })
      if (waiting.length >= queueLimit) {
        fail('ENGINE_UNAVAILABLE', {
          message: 'Too many scores are waiting to be processed. Try again later.',
        })
      }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const task: Task = { job, signal, report, resolve, reject }
      const onAbort = () => abort(task)
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push(task)
      dispatch()
      try {
        return (await promise) as Answer
      } finally {
        signal?.removeEventListener('abort', onAbort)
      }
    },
    async warm() {
      while (members.size < size && start());
      await until(() => [...members].every(({ isReady }) => isReady))
      if (members.size === 0) fail('ENGINE_UNAVAILABLE', { message: 'The engine failed to start.' })
    },
    processes: () => [...members].flatMap(({ host: { pid } }) => pid ?? []),
    async close() {
      closed = true
      await until(() => waiting.length === 0 && [...members].every(({ task }) => !task))
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
