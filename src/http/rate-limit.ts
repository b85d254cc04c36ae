import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'

/** Counts one request of an account, or of an address where there is none, against its quota of the hour. */
export type RateLimit = (reply: FastifyReply, account: string | undefined, address: string) => Promise<void>

const windowSeconds = 3600

/** A fixed window of one hour that begins with a consumer's first request. The three headers go on every response. */
export function rateLimit(config: Config): RateLimit {
  const accounts = new RateLimiterMemory({ points: config.rateLimitAuthenticated, duration: windowSeconds })
  const addresses = new RateLimiterMemory({ points: config.rateLimitAnonymous, duration: windowSeconds })

  return async (reply, account, address) => {
    const limiter = account === undefined ? addresses : accounts
    let refused = false
    let window: RateLimiterRes
    try {
      window = await limiter.consume(account ?? address)
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected
      refused = true
      window = rejected
    }
    reply.raw.setHeader('X-RateLimit-Limit', limiter.points)
    reply.raw.setHeader('X-RateLimit-Remaining', window.remainingPoints)
    reply.raw.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + window.msBeforeNext) / 1000))
    if (refused) fail('API_RATE_LIMIT_EXCEEDED', { message: `API rate limit exceeded for ${address}.` })
  }
}
