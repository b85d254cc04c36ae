import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'
import { networkOf } from './network.ts'

/** The quota of the hour of an account, or of an address where there is none. Its three headers go on every response. */
export interface RateLimit {
  /** Counts one request. @throws API_RATE_LIMIT_EXCEEDED */
  count(reply: FastifyReply, account: string | undefined, address: string): Promise<void>
  /** For a response that costs nothing: only says how the consumer stands. */
  show(reply: FastifyReply, account: string | undefined, address: string): Promise<void>
}

const hour = 60 * 60 * 1000

/** A fixed window of one hour that begins with a consumer's first request. */
export function rateLimit(config: Config): RateLimit {
  const accounts = new RateLimiterMemory({ points: config.rateLimitAuthenticated, duration: hour / 1000 })
  const addresses = new RateLimiterMemory({ points: config.rateLimitAnonymous, duration: hour / 1000 })

  function setHeaders(reply: FastifyReply, limit: number, remaining: number, millisecondsLeft: number): void {
    reply.raw.setHeader('X-RateLimit-Limit', limit)
    reply.raw.setHeader('X-RateLimit-Remaining', remaining)
    reply.raw.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + millisecondsLeft) / 1000))
  }

  return {
    async count(reply, account, address) {
      const limiter = account === undefined ? addresses : accounts
      let refused = false
      let window: RateLimiterRes
      try {
        window = await limiter.consume(account ?? networkOf(address))
      } catch (rejected) {
        if (!(rejected instanceof RateLimiterRes)) throw rejected
        refused = true
        window = rejected
      }
      setHeaders(reply, limiter.points, window.remainingPoints, window.msBeforeNext)
      if (refused) fail('API_RATE_LIMIT_EXCEEDED', { message: `API rate limit exceeded for ${address}.` })
    },
    async show(reply, account, address) {
      const limiter = account === undefined ? addresses : accounts
      const last = await limiter.get(account ?? networkOf(address))
      const window = last && last.msBeforeNext > 0 ? last : { remainingPoints: limiter.points, msBeforeNext: hour }
      setHeaders(reply, limiter.points, window.remainingPoints, window.msBeforeNext)
    },
  }
}
