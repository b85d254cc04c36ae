import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { fail } from '../errors.ts'
import type { CountedAccount } from './admission.ts'
import { networkOf } from './network.ts'
import { hour } from '../lib/durations.ts'

/**
 * The hourly quota of an account, or of an address for anonymous requests. Every response shows it in three
 * headers.
 */
export interface RateLimit {
  /**
   * Counts one request.
   * @throws API_RATE_LIMIT_EXCEEDED
   */
  count(reply: FastifyReply, account: CountedAccount | undefined, address: string): Promise<void>
  /** Returns two thirds of a request, because its answer is 304. */
  refund(reply: FastifyReply, account: CountedAccount | undefined, address: string): Promise<void>
  /** Sets the headers without counting a request. */
  show(reply: FastifyReply, account: CountedAccount | undefined, address: string): Promise<void>
}

/** Quotas are counted in thirds of a request. A request that is answered with 304 costs one third. */
const thirds = 3

/** Creates fixed windows of one hour. A window begins with the first request of a client. */
export function rateLimit(config: Config): RateLimit {
  const limiterOf = (requests: number) =>
    new RateLimiterMemory({ points: thirds * requests, duration: hour / 1000 })
  const addresses = limiterOf(config.rateLimitAnonymous)
  /** The limiters of accounts, by their quota. A changed quota begins a new window. */
  const accounts = new Map<number, RateLimiterMemory>()

  /** Returns the limiter of a client, and the key under which it counts the client. */
  function counterOf(account: CountedAccount | undefined, address: string) {
    if (!account) return { limiter: addresses, key: networkOf(address) }
    const { key, limit = config.rateLimitAuthenticated } = account
    const limiter = accounts.get(limit) ?? limiterOf(limit)
    accounts.set(limit, limiter)
    return { limiter, key }
  }

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
