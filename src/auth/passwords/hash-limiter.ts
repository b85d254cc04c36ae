import { availableParallelism } from 'node:os'
import { type ConcurrencyLimiter, concurrencyLimiter } from '../../lib/concurrency-limiter.ts'

/**
 * Creates the limiter for hashing and verifying passwords. It runs few jobs at the same time and leaves at
 * least one core to requests, so that other requests are served during many sign-ins. It rejects jobs with
 * SERVER_BUSY while 100 are queued, and while 3 of the same account are queued.
 */
export const passwordHashLimiter = (): ConcurrencyLimiter =>
  concurrencyLimiter(Math.max(1, Math.min(3, availableParallelism() - 1)), 100, 3)
