import { availableParallelism } from 'node:os'
import type { PasswordJob } from './password.worker.ts'
import { createPool } from './pool.ts'
import { threadHost } from './thread-host.ts'

/** MiB of JavaScript; what a hash takes beside it is not among them. */
const threadHeap = 16
/** Milliseconds without work. */
const idleLimit = 60_000

/**
 * Threads for what is slow on purpose. Those of the runtime have the priority of the event loop, which then waits for a core
 * while somebody tries passwords; these give way to it. They start when they are first needed.
 */
const threads = createPool<PasswordJob, string | boolean>({
  startHost: threadHost(new URL('./password.worker.ts', import.meta.url), threadHeap),
  size: availableParallelism(),
  idleLimit,
  queueLimit: Number.POSITIVE_INFINITY,
})

/** What is stored of a password: its argon2id hash with a salt of its own, in the PHC string format. */
export const hashOf = async (password: string): Promise<string> => (await threads.run({ password })) as string

/** Whether it is the password of which this is the hash. */
export const isHashOf = async (hash: string, password: string): Promise<boolean> =>
  (await threads.run({ hash, password })) as boolean
