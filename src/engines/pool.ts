import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Failure, fail } from '../errors.ts'
import { type EngineMessage, type JobMessage, overMemorySignal } from './engine-messages.ts'

/** Processes of one kind of engine. Jobs are handed out in the order in which they came. */
export interface Pool<Job, Answer> {
  /**
   * Has one job done. Rejects with
   * - the Failure that the engine itself found (the input is at fault);
   * - SCORE_NOT_RENDERABLE when a fresh process breaks, or grows over its memory limit, on this very job. A process
   *   that has worked before may be worn out: the job is then tried once more on a fresh one;
   * - ENGINE_UNAVAILABLE when the job takes longer than the time limit (the machine may be overloaded), when too many
   *   jobs wait, when the engine does not start, or after `close`;
   * - the reason of `signal` when that is aborted.
   */
  run(job: Job, options?: RunOptions): Promise<Answer>
  /** Starts all processes; resolves when they are ready. Without it they start when they are first needed. */
  warm(): Promise<void>
  /** The ids of the processes that run now. */
  processes(): number[]
  /** Takes no more jobs, finishes those that it has, and ends its processes. */
  close(): Promise<void>
}

export interface RunOptions {
  signal?: AbortSignal | undefined
  /** Called with 0 to 100; starts anew when the job is tried again. */
  report?: ((percent: number) => void) | undefined
}

export interface PoolOptions {
  /** The module that the processes run; it calls `serveJobs`. */
  module: URL
  /** The most processes at the same time. */
  size: number
  /** Milliseconds for a job, and for an engine to start. */
  timeLimit?: number
  /** Bytes of resident memory of a process; it is replaced between jobs when it has come to half of it. */
  memoryLimit?: number
  /** Jobs after which a process is replaced: engines leak. */
  recycleAfter?: number
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

interface Engine {
  process: ChildProcess
  ready: boolean
  jobsDone: number
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
  /** What it wrote to its standard error last; tells in the log why it died. */
  lastWords: string
}

/** Makes a pool; no process is started yet. */
export function createPool<Job, Answer>({
  module,
  size,
  timeLimit = 60_000,
  memoryLimit = 1024 ** 3,
  recycleAfter = 50,
  queueLimit = 100,
}: PoolOptions): Pool<Job, Answer> {
  const engines = new Set<Engine>()
  const waiting: Task[] = []
  /** Called whenever something may have become idle, ready or empty. */
  const onChange = new Set<() => void>()
  let closed = false

  function start(): void {
    const child = fork(fileURLToPath(module), [String(memoryLimit)], {
      serialization: 'advanced',
      // Engines see neither the settings nor the secrets of the server.
      env: {},
      execArgv: ['--max-old-space-size=512'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const engine: Engine = {
      process: child,
      ready: false,
      jobsDone: 0,
      task: undefined,
      timer: undefined,
      lastWords: '',
    }
    engines.add(engine)
    engine.timer = setTimeout(() => child.kill('SIGKILL'), timeLimit)
    if (child.stderr instanceof Socket) child.stderr.unref()
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      engine.lastWords = (engine.lastWords + text).slice(-2000)
    })
    child.on('message', (message: EngineMessage) => {
      if (engines.has(engine)) hear(engine, message)
    })
    child.on('close', (_code, signal) => mourn(engine, signal))
    child.on('error', (error) => {
      engine.lastWords += error.message
      mourn(engine, null)
    })
  }

  /** Hands waiting jobs to idle engines, and starts engines as long as there are more jobs than those. */
  function dispatch(): void {
    for (const engine of engines) {
      if (!engine.ready || engine.task) continue
      const task = waiting.shift()
      if (task) assign(engine, task)
      else release(engine)
    }
    const starting = [...engines].filter(({ ready }) => !ready).length
    const wanted = Math.min(size - engines.size, waiting.length - starting)
    for (let started = 0; started < wanted; started++) start()
    for (const look of onChange) look()
  }

  function assign(engine: Engine, task: Task): void {
    engine.task = task
    hold(engine)
    engine.timer = setTimeout(() => {
      conclude(engine)?.reject(
        new Failure('ENGINE_UNAVAILABLE', {
          message: `The notation engine did not finish within ${timeLimit / 1000} s. Try again, or with a smaller score.`,
        }),
      )
      replace(engine)
    }, timeLimit)
    engine.process.send({ job: task.job } satisfies JobMessage)
  }

  function hear(engine: Engine, message: EngineMessage): void {
    switch (message.kind) {
      case 'ready':
        engine.ready = true
        clearTimeout(engine.timer)
        dispatch()
        break
      case 'progress':
        engine.task?.report(message.percent)
        break
      case 'answer':
        conclude(engine)?.resolve(message.answer)
        goOn(engine, message.rss)
        break
      case 'failure':
        conclude(engine)?.reject(failureOf(message))
        goOn(engine, message.rss)
        break
      case 'error':
        engine.lastWords += message.message
        blame(engine, 'An error inside of the engine')
        replace(engine)
    }
  }

  /** The engine has done a job; it takes the next one unless it is worn out. */
  function goOn(engine: Engine, rss: number): void {
    engine.jobsDone++
    if (engine.jobsDone >= recycleAfter || rss > memoryLimit / 2) replace(engine)
    else dispatch()
  }

  /** The engine's process has ended by itself. */
  function mourn(engine: Engine, signal: NodeJS.Signals | null): void {
    if (!engines.delete(engine)) return
    clearTimeout(engine.timer)
    if (!engine.ready) {
      const cause = new Error(`The engine ${module.href} did not start. ${engine.lastWords}`)
      for (const task of waiting.splice(0)) task.reject(new Failure('ENGINE_UNAVAILABLE', { cause }))
    }
    blame(engine, signal === overMemorySignal ? 'The engine grew over its memory limit' : 'The engine died')
    dispatch()
  }

  /** Ends the job of an engine that broke on it: once more on a fresh engine, or else it was the score. */
  function blame(engine: Engine, what: string): void {
    const task = conclude(engine)
    if (!task) return
    if (engine.jobsDone > 0) {
      waiting.unshift(task)
      return
    }
    task.reject(new Failure('SCORE_NOT_RENDERABLE', { cause: new Error(`${what}. ${engine.lastWords}`) }))
  }

  /** Takes the job off an engine. */
  function conclude(engine: Engine): Task | undefined {
    const { task } = engine
    clearTimeout(engine.timer)
    engine.task = undefined
    return task
  }

  /** Ends an engine and, since engines are in use, has the next one ready. */
  function replace(engine: Engine): void {
    engines.delete(engine)
    engine.process.kill('SIGKILL')
    if (!closed) start()
    dispatch()
  }

  function abort(task: Task): void {
    const place = waiting.indexOf(task)
    if (place >= 0) waiting.splice(place, 1)
    task.reject(task.signal?.reason)
    for (const engine of engines) {
      if (engine.task !== task) continue
      conclude(engine)
      replace(engine)
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
        fail('ENGINE_UNAVAILABLE', { message: 'Too many scores wait for the notation engine. Try again later.' })
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
      while (engines.size < size) start()
      await until(() => [...engines].every(({ ready }) => ready))
      if (engines.size === 0) fail('ENGINE_UNAVAILABLE', { message: 'The notation engine does not start.' })
    },
    processes: () => [...engines].flatMap(({ process: { pid } }) => pid ?? []),
    async close() {
      closed = true
      await until(() => waiting.length === 0 && [...engines].every(({ task }) => !task))
      for (const engine of engines) {
        engines.delete(engine)
        clearTimeout(engine.timer)
        engine.process.kill('SIGKILL')
      }
    },
  }
}

function failureOf({ code, param, message }: Extract<EngineMessage, { kind: 'failure' }>): Failure {
  return new Failure(code, param === undefined ? { message } : { param, message })
}

/** An engine that starts or works keeps this process alive. */
function hold({ process: child }: Engine): void {
  child.ref()
  child.channel?.ref()
}

/** An idle engine does not. */
function release({ process: child }: Engine): void {
  child.unref()
  child.channel?.unref()
}
