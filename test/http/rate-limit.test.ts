import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { settings } from '../../src/config.ts'
import { type Person, useApp } from '../support/app.ts'
import type { Reply } from '../support/client.ts'
import { minute } from '../../src/lib/durations.ts'
import { usingDatabases } from '../support/databases.ts'

const limits = { rateLimitAnonymous: '5', rateLimitAuthenticated: '7' }
const databases = usingDatabases('sqlite')
const app = useApp(databases, limits)
const behindProxy = useApp(databases, { ...limits, trustProxy: '127.0.0.1, 10.0.0.0/8' })
const hour = 60 * minute
let otto: Person
let olga: Person

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  otto = await app.person('otto')
  olga = await app.person('olga')
})
afterAll(() => vi.useRealTimers())
// The windows of the previous test have ended.
beforeEach(() => vi.setSystemTime(Date.now() + hour))

const anonymous = (path = '/users/me', headers: Record<string, string> = {}) =>
  app.anonymous.get(path, { headers })

const quotaIn = ({ headers }: Pick<Reply, 'headers'>) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

async function statuses(count: number, send: () => Promise<Reply>): Promise<number[]> {
  const replies: Reply[] = []
  for (let i = 0; i < count; i++) replies.push(await send())
  return replies.map(({ status }) => status)
}

describe('an account with a quota of its own', () => {
  it('has that quota for its tokens, and the other accounts keep theirs', async () => {
    const large = await app.person('olaf')
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ rate_limit: 9 }).where('id', '=', large.id).execute(),
    )
    expect(await statuses(9, () => large.get('/me'))).toEqual(Array(9).fill(200))
    const refused = await large.get('/me')
    expect([refused.status, refused.body.code]).toEqual([403, 'API_RATE_LIMIT_EXCEEDED'])
    expect(quotaIn(refused).slice(0, 2)).toEqual([9, 0])
    expect(quotaIn(await olga.get('/me')).slice(0, 2)).toEqual([7, 6])
  })
})

describe('an IP address without a token', () => {
  it('can send exactly its quota of requests, and then gets an error', async () => {
    expect(await statuses(5, anonymous)).toEqual([404, 404, 404, 404, 404])
    const { status, body } = await anonymous()
    expect([status, body.code]).toEqual([403, 'API_RATE_LIMIT_EXCEEDED'])
    expect(body.message).toContain('127.0.0.1')
  })

  it('receives its quota in every response, even when it is refused', async () => {
    const reset = Math.ceil((Date.now() + hour) / 1000)
    for (const remaining of [4, 3, 2, 1, 0, 0, 0])
      expect(quotaIn(await anonymous())).toEqual([5, remaining, reset])
  })

  it('has its whole quota again an hour after its first request', async () => {
    await anonymous()
    vi.setSystemTime(Date.now() + 59 * minute)
    expect(await statuses(6, anonymous)).toEqual([404, 404, 404, 404, 403, 403])
    vi.setSystemTime(Date.now() + minute)
    expect(await statuses(6, anonymous)).toEqual([404, 404, 404, 404, 404, 403])
  })

  it('cannot claim another address', async () => {
    const spoofed = [1, 2, 3, 4, 5, 6].map((n) => ({
      'X-Forwarded-For': `203.0.113.${n}`,
      'X-Real-IP': `203.0.113.${n}`,
      Forwarded: `for=203.0.113.${n}`,
    }))
    const last: Reply[] = []
    for (const headers of spoofed) last.push(await anonymous('/users/me', headers))
    expect(last.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 403])
    expect(last.at(-1)?.body.message).toContain('127.0.0.1')
  })

  it('is charged for invalid tokens, unknown paths and the OpenAPI document', async () => {
    const paths = ['/nothing', '/users/me', '/openapi.json']
    for (const path of paths) await anonymous(path)
    await anonymous('/users/me', { Authorization: 'Bearer nonsense' })
    await app.anonymous.request('PATCH', '/me')
    expect((await anonymous()).status).toBe(403)
  })

  it('is not charged outside of /v2 and receives no quota headers there', async () => {
    for (let i = 0; i < 10; i++) {
      const { status, headers } = await fetch(`${app.url}/healthz`)
      expect([status, headers.has('x-ratelimit-limit')]).toEqual([200, false])
    }
    expect((await anonymous()).status).toBe(404)
  })

  it('is not charged for a body that is too large', async () => {
    const body = 'x'.repeat(2 * 1024 * 1024)
    for (let i = 0; i < 6; i++) {
      const reply = await app.anonymous.request('PUT', '/scores/1', undefined, { body })
      expect(reply.status).toBe(413)
      expect(quotaIn(reply).slice(0, 2)).toEqual([5, 5])
    }
  })

  it('is refused before any other check', async () => {
    await statuses(5, anonymous)
    const bad = { Authorization: 'Bearer nonsense' }
    for (const path of ['/nothing', '/me', '/%zz', '/openapi.json'])
      expect((await anonymous(path, bad)).status).toBe(403)
  })
})

describe('an account', () => {
  it('can send exactly its quota of requests with all its tokens together', async () => {
    const other = await app.withScopes(otto, 'account.public_profile')
    expect(await statuses(4, () => otto.get('/me'))).toEqual([200, 200, 200, 200])
    expect(await statuses(4, () => other.get('/me'))).toEqual([200, 200, 200, 403])
    const { body, headers } = await otto.get('/me')
    expect(body.code).toBe('API_RATE_LIMIT_EXCEEDED')
    expect(quotaIn({ headers }).slice(0, 2)).toEqual([7, 0])
  })

  it('does not share its quota with its IP address or with another account', async () => {
    await statuses(8, () => otto.get('/me'))
    expect((await olga.get('/me')).status).toBe(200)
    expect((await anonymous()).status).toBe(404)
  })

  it('passes exactly its quota of simultaneous requests', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => otto.get('/me')))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(13)
  })

  it('is charged for requests without a required scope', async () => {
    const blind = await app.withScopes(olga, 'account.email')
    expect(quotaIn(await blind.get('/me')).slice(0, 2)).toEqual([7, 6])
  })
})

describe('with the default settings', () => {
  const withDefaults = useApp(databases, {
    rateLimitAnonymous: settings.rateLimitAnonymous.default,
    rateLimitAuthenticated: settings.rateLimitAuthenticated.default,
  })

  /** Sends requests until one is refused. Returns how many passed. */
  async function sendUntilRefused(send: () => Promise<Reply>): Promise<{ passed: number; refused: Reply }> {
    for (let passed = 0; ; passed++) {
      const reply = await send()
      if (reply.status === 403) return { passed, refused: reply }
    }
  }

  it('the 1,801st request of an IP address in an hour is refused', async () => {
    const { passed, refused } = await sendUntilRefused(() => withDefaults.anonymous.get('/users/me'))
    expect(passed).toBe(1800)
    expect(quotaIn(refused)).toEqual([1800, 0, Math.ceil((Date.now() + hour) / 1000)])
  }, 60_000)

  it('the 7,201st request of an account in an hour is refused', async () => {
    const oona = await withDefaults.person('oona')
    const { passed, refused } = await sendUntilRefused(() => oona.get('/me'))
    expect(passed).toBe(7200)
    expect(quotaIn(refused)).toEqual([7200, 0, Math.ceil((Date.now() + hour) / 1000)])
  }, 60_000)
})

describe('behind a trusted proxy', () => {
  const from = (forwardedFor: string) =>
    behindProxy.anonymous.get('/users/me', { headers: { 'X-Forwarded-For': forwardedFor } })

  it('each forwarded address has its own quota', async () => {
    expect(await statuses(6, () => from('203.0.113.1'))).toEqual([404, 404, 404, 404, 404, 403])
    expect((await from('203.0.113.2')).status).toBe(404)
    expect((await from('203.0.113.1')).body.message).toContain('203.0.113.1')
  })

  it('addresses that the client itself adds to the header are ignored', async () => {
    const replies = []
    for (const n of [1, 2, 3, 4, 5, 6]) replies.push(await from(`198.51.100.${n}, 203.0.113.3, 10.1.2.3`))
    expect(replies.at(-1)?.body.message).toContain('203.0.113.3')
  })
})
