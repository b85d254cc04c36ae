import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'
import { networkOf } from './network.ts'
import { hour } from '../lib/durations.ts'

/**
 * The hourly quota of an account, or of an address for anonymous requests. Every response shows it in three
 * headers.
 */
export interface RateLimit {
  /** Counts one request. @throws API_RATE_LIMIT_EXCEEDED */
  count(reply: FastifyReply, account: string | undefined, address: string): Promise<void>
  /** Returns two thirds of a request, because its answer is 304. */
  refund(reply: FastifyReply, account: string | undefined, address: string): Promise<void>
  /** Sets the headers without counting a request. */
  show(reply: FastifyReply, account: string | undefined, address: string): Promise<void>
}

/** Quotas are counted in thirds of a request. A request that is answered with 304 costs one third. */
const thirds = 3

/** Creates fixed windows of one hour. A window begins with the first request of a client. */
export function rateLimit(config: Config): RateLimit {
  const accounts = new RateLimiterMemory({
    points: thirds * config.rateLimitAuthenticated,
    duration: hour / 1000,
  })
  const addresses = new RateLimiterMemory({
    points: thirds * config.rateLimitAnonymous,
    duration: hour / 1000,
  })

  /** Returns the limiter of a client, and the key under which it counts the client. */
  const counterOf = (account: string | undefined, address: string) =>
    account === undefined
      ? { limiter: addresses, key: networkOf(address) }
      : { limiter: accounts, key: account }

  function setHeaders(
    reply: FastifyReply,
    points: number,
    remaining: number,
    millisecondsLeft: number,
  ): void {
    reply.raw.setHeader('X-RateLimit-Limit', points / thirds)
    reply.raw.setHeader('X-RateLimit-Remaining', Math.floor(remaining / thirds))
    reply.raw.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + millisecondsLeft) / 1000))
  }

  return {
    async count(reply, account, address) {
      const { limiter, key } = counterOf(account, address)
      let refused = false
      let window: RateLimiterRes
      try {
        window = await limiter.consume(key, thirds)
      } catch (rejected) {
        if (!(rejected instanceof RateLimiterRes)) throw rejected
        refused = true
        window = rejected
      }
      setHeaders(reply, limiter.points, window.remainingPoints, window.msBeforeNext)
      if (refused) fail('API_RATE_LIMIT_EXCEEDED', { message: `API rate limit exceeded for ${address}.` })
    },
    async refund(reply, account, address) {
      const { limiter, key } = counterOf(account, address)
      const window = await limiter.reward(key, thirds - 1)
      setHeaders(reply, limiter.points, window.remainingPoints, window.msBeforeNext)
    },
    async show(reply, account, address) {
      const { limiter, key } = counterOf(account, address)
      const last = await limiter.get(key)
      const window =
        last && last.msBeforeNext > 0 ? last : { remainingPoints: limiter.points, msBeforeNext: hour }
      setHeaders(reply, limiter.points, window.remainingPoints, window.msBeforeNext)
    },
  }
}
