import { availableParallelism } from 'node:os'
import { Failure } from '../errors.ts'
import type { PasswordJob } from './password.worker.ts'
import { createPool } from './pool.ts'
import { threadHost } from './thread-host.ts'

/** MiB of JavaScript that is kept; what a hash takes beside it is not among them. */
const threadHeap = 16
/** Milliseconds without work. */
const idleLimit = 60_000
/** Milliseconds for one that takes a hundredth of a second where nothing else runs. */
const timeLimit = 30_000

/**
 * Threads for what is slow on purpose. Those of the runtime have the priority of the event loop, which then waits for a core
 * while somebody tries passwords; these give way to it. Like those they are the process's: they start when they are first needed,
 * and keep no process from its end.
 */
const threads = createPool<PasswordJob, string | boolean>({
  startHost: threadHost(new URL('./password.worker.ts', import.meta.url), threadHeap),
  size: availableParallelism(),
  idleLimit,
  timeLimit,
  queueLimit: Number.POSITIVE_INFINITY,
})

/**
 * What is stored of a password: its argon2id hash with a salt of its own, in the PHC string format.
 * @throws SERVER_BUSY where no thread can be had, or none comes to it
 */
export const hashOf = async (password: string): Promise<string> => (await run({ password })) as string

/** Whether it is the password of which this is the hash. @throws SERVER_BUSY likewise */
export const isHashOf = async (hash: string, password: string): Promise<boolean> =>
  (await run({ hash, password })) as boolean

async function run(job: PasswordJob): Promise<string | boolean> {
  try {
    return await threads.run(job)
  } catch (error) {
    // What the pool says of it is for those who wait for scores.
    if (error instanceof Failure) throw new Failure('SERVER_BUSY', { cause: error })
    throw error
  }
}
