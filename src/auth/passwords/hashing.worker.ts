import { getPriority, setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'
import { serveJobs } from '../../engines/hosts/serve-jobs.ts'

/** A password to hash, or to verify if `hash` is set. */
export interface PasswordJob {
  password: string
  hash?: string
}

/** The first recommendation of OWASP for argon2id: 19 MiB, two iterations, one lane. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Lowers the priority below that of requests. On Linux this applies to this thread only; on other systems it
 * would apply to the whole process.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(19, getPriority() + 10))
  } catch {
    // Without the permission to change the priority, the thread works with the normal one.
  }
}

lowerPriority()

serveJobs<PasswordJob>(async ({ hash, password }) =>
  hash === undefined ? hashSync(password, argon2id) : verifySync(hash, password),
)
