import { getPriority, setPriority } from 'node:os'
import { hashSync, verifySync } from '@node-rs/argon2'
import { serveJobs } from './serve-jobs.ts'

/** A password to hash, or to compare with the hash of one. */
export interface PasswordJob {
  password: string
  hash?: string
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Requests come first: on Linux this is the priority of this thread alone, elsewhere it would be that of the process. */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(19, getPriority() + 10))
  } catch {
    // Where that is not allowed, passwords are hashed all the same.
  }
}

giveWay()

serveJobs<PasswordJob>(async ({ hash, password }) =>
  hash === undefined ? hashSync(password, argon2id) : verifySync(hash, password),
)
