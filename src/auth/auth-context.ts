import type { KeyObject } from 'node:crypto'
import type { Actor } from '../actor.ts'
import type { ConcurrencyLimiter } from '../lib/concurrency-limiter.ts'
import type { TtlCache } from '../lib/ttl-cache.ts'
import type { TrustedDevices } from './throttling/trusted-devices.ts'

/** The state that authentication keeps in memory for the life of the process. It is `ctx.auth`. */
export interface AuthContext {
  /** Actors by the hash of their token or session, grouped by account; see tokens/cached-actors.ts. */
  readonly actors: TtlCache<Actor>
  /** HMAC key under which failed sign-in attempts are counted; see throttling/attempt-limits.store.ts. */
  readonly attemptSecret: KeyObject
  /** Limits how many passwords of sign-ins and sign-ups are hashed at the same time. */
  readonly passwordHashLimiter: ConcurrencyLimiter
  readonly trustedDevices: TrustedDevices
}
