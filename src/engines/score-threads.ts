import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Failure, fail } from '../errors.ts'
import type { Outcome, ScoreWork } from './score.worker.ts'

/** Threads for our own work on scores, so that a large one does not stop the server. */
export interface ScoreThreads {
  /**
   * Does a piece of work in a thread. Rejects with its Failure, with PAYLOAD_TOO_LARGE when the score needs more memory
   * than a thread may have, and with ENGINE_UNAVAILABLE when it takes longer than the time limit or too many wait.
   */
  perform<Name extends keyof ScoreWork>(
    name: Name,
    ...parameters: Parameters<ScoreWork[Name]>
  ): ReturnType<ScoreWork[Name]>
  /** Finishes what it has. */
  close(): Promise<void>
}

export interface ScoreThreadsOptions {
  /** The most threads at the same time. They are started when they are needed, and end after a minute without work. */
  threads: number
  /** Milliseconds for a piece of work. */
  timeLimit?: number
  /** MiB of JavaScript heap of a thread. */
  heapLimit?: number
  /** Pieces of work that may wait. */
  queueLimit?: number
}

/** Makes the pool of threads; none is started yet. */
export function createScoreThreads({
  threads,
  timeLimit = 60_000,
  heapLimit = 1024,
  queueLimit = 100,
}: ScoreThreadsOptions): ScoreThreads {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./score.worker.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit },
    env: {},
  })
  let closed = false

  async function run(task: { name: keyof ScoreWork; parameters: unknown[] }): Promise<Outcome> {
    const signal = AbortSignal.timeout(timeLimit)
    try {
      return await pool.run(task, { signal })
    } catch (cause) {
      if (signal.aborted) {
        const message = `The score took longer than ${timeLimit / 1000} s. Try again, or with a smaller score.`
        throw new Failure('ENGINE_UNAVAILABLE', { message, cause })
      }
      if ((cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new Failure('PAYLOAD_TOO_LARGE', { message: 'The score needs more memory than it may have.', cause })
      }
      throw cause
    }
  }

  return {
    perform: (async (name, ...parameters) => {
      if (closed) fail('ENGINE_UNAVAILABLE', { message: 'The server is stopping.' })
      if (pool.queueSize >= queueLimit) {
        fail('ENGINE_UNAVAILABLE', { message: 'Too many scores wait to be read or written. Try again later.' })
      }
      const outcome = await run({ name, parameters })
      if ('value' in outcome) return outcome.value
      const { code, param, message } = outcome.failure
      return fail(code, param === undefined ? { message } : { param, message })
    }) as ScoreThreads['perform'],
    close() {
      closed = true
      return pool.close()
    },
  }
}
