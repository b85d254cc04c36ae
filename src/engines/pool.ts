import { Failure, fail } from '../errors.ts'
import { type Host, HostError, type HostMessage, type StartHost } from './host.ts'

/** Hosts of one kind. Jobs are handed out in the order in which they came. */
export interface Pool<Job, Answer> {
  /**
   * Has one job done. Rejects with
   * - the Failure that the host itself found (the input is at fault);
   * - a HostError when a fresh host breaks on this very job. One that has worked before may be worn out: the job is then
   *   tried once more on a fresh one;
   * - ENGINE_UNAVAILABLE when the job takes longer than the time limit (the machine may be overloaded), when too many
   *   jobs wait, when no host starts, or after `close`;
   * - the reason of `signal` when that is aborted.
   */
  run(job: Job, options?: RunOptions): Promise<Answer>
  /** Starts all hosts; resolves when they are ready. Without it they start when they are first needed. */
  warm(): Promise<void>
  /** The ids of the processes that run now. */
  processes(): number[]
  /** Takes no more jobs, finishes those that it has, and ends its hosts. */
  close(): Promise<void>
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Called with 0 to 100; starts anew when the job is tried again. */
  report?: ((percent: number) => void) | undefined
}

export interface PoolOptions {
  startHost: StartHost
  /** The most hosts at the same time. */
  size: number
  /** Milliseconds for a job, and for a host to start. */
  timeLimit?: number
  /** Jobs after which a host is replaced: engines leak. */
  recycleAfter?: number
  /** Bytes of resident memory at which a host is replaced between two jobs. */
  recycleAbove?: number
  /** Milliseconds after which a host without a job is ended. */
  idleLimit?: number
  /** Jobs that may wait. */
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
  /** Of its start, its job or its idleness. */
  timer: NodeJS.Timeout | undefined
}

/** Makes a pool; no host is started yet. */
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
  /** Called whenever something may have become idle, ready or empty. */
  const onChange = new Set<() => void>()
  let closed = false

  /** Whether one was started; where the system gives none, those who wait are told. */
  function start(): boolean {
    let host: Host
    try {
      host = startHost({
        onMessage: (message) => hear(member, message),
        onEnd: (error) => mourn(member, error),
      })
    } catch (error) {
      refuseWaiting(error)
      return false
    }
    const member: Member = { host, isReady: false, jobsDone: 0, task: undefined, timer: undefined }
    member.timer = setTimeout(() => {
      host.kill()
      mourn(member, new HostError(`It was not ready after ${timeLimit} ms.`))
    }, timeLimit)
    members.add(member)
    return true
  }

  function refuseWaiting(cause: unknown): void {
    for (const task of waiting.splice(0)) task.reject(new Failure('ENGINE_UNAVAILABLE', { cause }))
  }

  /** Hands waiting jobs to idle hosts, and starts hosts as long as there are more jobs than those. */
  function dispatch(): void {
    for (const member of members) {
      if (!member.isReady || member.task) continue
      const task = waiting.shift()
      if (task) assign(member, task)
      else rest(member)
    }
    const starting = [...members].filter(({ isReady }) => !isReady).length
    const wanted = Math.min(size - members.size, waiting.length - starting)
    for (let started = 0; started < wanted && start(); started++);
    for (const look of onChange) look()
  }

  function assign(member: Member, task: Task): void {
    clearTimeout(member.timer)
    member.task = task
    member.host.hold(true)
    member.timer = setTimeout(() => {
      const message = `This took longer than ${timeLimit / 1000} s. Try again, or with a smaller score.`
      conclude(member)?.reject(new Failure('ENGINE_UNAVAILABLE', { message }))
      replace(member)
    }, timeLimit)
    member.host.send(task.job)
  }

  function rest(member: Member): void {
    member.host.hold(false)
    if (idleLimit === undefined || member.timer) return
    member.timer = setTimeout(() => end(member), idleLimit).unref()
  }

  function hear(member: Member, message: HostMessage): void {
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
        conclude(member)?.resolve(message.answer)
        goOn(member, message.memory)
        break
      case 'failure':
        conclude(member)?.reject(failureOf(message))
        goOn(member, message.memory)
        break
      case 'error':
        blame(member, new HostError(message.message))
        replace(member)
    }
  }

  /** The host has done a job; it takes the next one unless it is worn out. */
  function goOn(member: Member, memory: number): void {
    member.jobsDone++
    if (member.jobsDone >= recycleAfter || memory > recycleAbove) replace(member)
    else dispatch()
  }

  /** A host has ended by itself. One that did not even start is no use to those who wait. */
  function mourn(member: Member, error: HostError): void {
    members.delete(member)
    clearTimer(member)
    if (!member.isReady) refuseWaiting(error)
    blame(member, error)
    dispatch()
  }

  /** Ends the job of a host that broke on it: once more on a fresh one, or else it was the job. */
  function blame(member: Member, error: HostError): void {
    const task = conclude(member)
    if (!task) return
    if (member.jobsDone > 0) waiting.unshift(task)
    else task.reject(error)
  }

  /** Takes the job off a host. */
  function conclude(member: Member): Task | undefined {
    const { task } = member
    clearTimer(member)
    member.task = undefined
    return task
  }

  /** Ends a host and, since hosts are in use, has the next one ready. */
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
    const place = waiting.indexOf(task)
    if (place >= 0) waiting.splice(place, 1)
    task.reject(task.signal?.reason)
    for (const member of members) {
      if (member.task !== task) continue
      conclude(member)
      replace(member)
    }
  }

  /** Resolves when `done` holds; looks again at every change. */
  function until(done: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!done()) return
        onChange.delete(look)
        resolve()
      }
      onChange.add(look)
      look()
    })
  }

  return {
    async run(job, { signal, report = () => {} } = {}) {
      signal?.throwIfAborted()
      if (closed) fail('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' })
      if (waiting.length >= queueLimit) {
        fail('ENGINE_UNAVAILABLE', { message: 'Too many scores wait to be read or made. Try again later.' })
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
      if (members.size === 0) fail('ENGINE_UNAVAILABLE', { message: 'The engine does not start.' })
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
