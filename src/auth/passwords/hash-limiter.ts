import { availableParallelism } from 'node:os'
import { type ConcurrencyLimiter, concurrencyLimiter } from '../../lib/concurrency-limiter.ts'

/**
 * Creates the limiter for hashing and verifying passwords. It runs few jobs at the same time and leaves at
 * least one core to requests, so that other requests are served during many sign-ins. Callers are served in turn. The limit of a
 * caller leaves room for a school that signs in at the same time, because it usually has one network.
 */
export const passwordHashLimiter = (): ConcurrencyLimiter =>
  concurrencyLimiter({
    slots: Math.max(1, Math.min(3, availableParallelism() - 1)),
    maxWaiting: 300,
    maxWaitingPerCaller: 100,
  })
