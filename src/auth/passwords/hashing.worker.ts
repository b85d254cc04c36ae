import { hashSync, verifySync } from '@node-rs/argon2'
import { serveJobs } from '../../engines/hosts/serve-jobs.ts'
import { lowerPriority } from '../../lib/priority.ts'

/** A password to hash, or to verify if `hash` is set. */
export interface PasswordJob {
  password: string
  hash?: string
}

/** The first recommendation of OWASP for argon2id: 19 MiB, two iterations, one lane. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// Below the priority of requests.
lowerPriority(10)

serveJobs<PasswordJob>(async ({ hash, password }) =>
  hash === undefined ? hashSync(password, argon2id) : verifySync(hash, password),
)
