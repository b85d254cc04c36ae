import { availableParallelism } from 'node:os'
import { Failure } from '../../errors.ts'
import type { PasswordJob } from './hashing.worker.ts'
import { createPool } from '../../engines/hosts/pool.ts'
import { threadHost } from '../../engines/hosts/thread-host.ts'

/** The maximum JavaScript heap of a thread in MiB. The memory for a hash is not part of it. */
const maxHeapMiB = 16
/** Milliseconds after which an idle thread ends. */
const idleLimit = 60_000
/** The time limit of a job in milliseconds. On an idle machine, a job takes some hundredths of a second. */
const timeLimit = 30_000

const size = availableParallelism()

/**
 * Threads that hash passwords with low priority. The runtime's own thread pool has the priority of the event
 * loop, which would have to wait for a core during many sign-ins. The threads belong to the process: they
 * start when they are first needed, and do not keep the process alive.
 */
const threads = createPool<PasswordJob, string | boolean>({
  startHost: threadHost(new URL('./hashing.worker.ts', import.meta.url), maxHeapMiB),
  size,
  // `passwordHashLimiter` limits each account.
  maxPerCaller: size,
  queueLimits: { total: Number.POSITIVE_INFINITY, perCaller: Number.POSITIVE_INFINITY },
  idleLimit,
  timeLimit,
})

/**
 * Hashes a password with argon2id and a random salt.
 * @returns the hash in the PHC string format
 * @throws SERVER_BUSY when no thread can be started, or none is free in time
 */
export const hashOf = async (password: string): Promise<string> => (await run({ password })) as string

/**
 * Verifies a password against a hash.
 * @throws SERVER_BUSY as `hashOf` does
 */
export const isHashOf = async (hash: string, password: string): Promise<boolean> =>
  (await run({ hash, password })) as boolean

async function run(job: PasswordJob): Promise<string | boolean> {
  try {
    return await threads.run(job, { callers: ['passwords'] })
  } catch (error) {
    // The pool's own error codes are those of score conversions.
    if (error instanceof Failure) throw new Failure('SERVER_BUSY', { cause: error })
    throw error
  }
}
