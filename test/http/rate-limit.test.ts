import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { settings } from '../../src/config.ts'
import { type Person, useApp } from '../support/app.ts'
import type { Reply } from '../support/client.ts'
import { minute } from '../support/clock.ts'
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
// The windows of the test before are over.
beforeEach(() => vi.setSystemTime(Date.now() + hour))

const anonymous = (path = '/users/me', headers: Record<string, string> = {}) => app.stranger.get(path, { headers })

const quotaIn = ({ headers }: Pick<Reply, 'headers'>) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

async function statuses(count: number, send: () => Promise<Reply>): Promise<number[]> {
  const replies: Reply[] = []
  for (let i = 0; i < count; i++) replies.push(await send())
  return replies.map(({ status }) => status)
}

describe('an address without a token', () => {
  it('may send exactly its number of requests, and is then refused with a reason', async () => {
    expect(await statuses(5, anonymous)).toEqual([404, 404, 404, 404, 404])
    const { status, body } = await anonymous()
    expect([status, body.code]).toEqual([403, 'API_RATE_LIMIT_EXCEEDED'])
    expect(body.message).toContain('127.0.0.1')
  })

  it('is told its quota on every response, also on the one that is refused', async () => {
    const reset = Math.ceil((Date.now() + hour) / 1000)
    for (const remaining of [4, 3, 2, 1, 0, 0, 0]) expect(quotaIn(await anonymous())).toEqual([5, remaining, reset])
  })

  it('has its whole quota again an hour after its first request, whatever was refused meanwhile', async () => {
    await anonymous()
    vi.setSystemTime(Date.now() + 59 * minute)
    expect(await statuses(6, anonymous)).toEqual([404, 404, 404, 404, 403, 403])
    vi.setSystemTime(Date.now() + minute)
    expect(await statuses(6, anonymous)).toEqual([404, 404, 404, 404, 404, 403])
  })

  it('cannot give itself another address', async () => {
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

  it('pays for bad tokens, for what there is not and for the document', async () => {
    const paths = ['/nothing', '/users/me', '/openapi.json']
    for (const path of paths) await anonymous(path)
    await anonymous('/users/me', { Authorization: 'Bearer nonsense' })
    await app.stranger.request('PATCH', '/me')
    expect((await anonymous()).status).toBe(403)
  })

  it('does not pay for what is not below /v2, and is not told a quota there', async () => {
    for (let i = 0; i < 10; i++) {
      const { status, headers } = await fetch(`${app.url}/healthz`)
      expect([status, headers.has('x-ratelimit-limit')]).toEqual([200, false])
    }
    expect((await anonymous()).status).toBe(404)
  })

  it('does not pay for a body that is too large', async () => {
    const body = 'x'.repeat(2 * 1024 * 1024)
    for (let i = 0; i < 6; i++) {
      const reply = await app.stranger.request('PUT', '/scores/1', undefined, { body })
      expect(reply.status).toBe(413)
      expect(quotaIn(reply).slice(0, 2)).toEqual([5, 5])
    }
  })

  it('is refused before anything else is looked at', async () => {
    await statuses(5, anonymous)
    const bad = { Authorization: 'Bearer nonsense' }
    for (const path of ['/nothing', '/me', '/%zz', '/openapi.json'])
      expect((await anonymous(path, bad)).status).toBe(403)
  })
})

describe('an account', () => {
  it('may send exactly its number of requests, by all its tokens together', async () => {
    const other = await app.withScopes(otto, 'account.public_profile')
    expect(await statuses(4, () => otto.get('/me'))).toEqual([200, 200, 200, 200])
    expect(await statuses(4, () => other.get('/me'))).toEqual([200, 200, 200, 403])
    const { body, headers } = await otto.get('/me')
    expect(body.code).toBe('API_RATE_LIMIT_EXCEEDED')
    expect(quotaIn({ headers }).slice(0, 2)).toEqual([7, 0])
  })

  it('does not share its quota with its address or with another account', async () => {
    await statuses(8, () => otto.get('/me'))
    expect((await olga.get('/me')).status).toBe(200)
    expect((await anonymous()).status).toBe(404)
  })

  it('of many requests at the same time exactly its number pass', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => otto.get('/me')))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(13)
  })

  it('pays for what is refused for lack of a scope', async () => {
    const blind = await app.withScopes(olga, 'account.email')
    expect(quotaIn(await blind.get('/me')).slice(0, 2)).toEqual([7, 6])
  })
})

describe('where nothing else is set', () => {
  const asSet = useApp(databases, {
    rateLimitAnonymous: settings.rateLimitAnonymous.default,
    rateLimitAuthenticated: settings.rateLimitAuthenticated.default,
  })

  /** How many are answered before the first that is refused. */
  async function passing(send: () => Promise<Reply>): Promise<{ passed: number; refused: Reply }> {
    for (let passed = 0; ; passed++) {
      const reply = await send()
      if (reply.status === 403) return { passed, refused: reply }
    }
  }

  it('the 1,801st request of an address in an hour is refused', async () => {
    const { passed, refused } = await passing(() => asSet.stranger.get('/users/me'))
    expect(passed).toBe(1800)
    expect(quotaIn(refused)).toEqual([1800, 0, Math.ceil((Date.now() + hour) / 1000)])
  }, 60_000)

  it('the 7,201st request of an account in an hour is refused', async () => {
    const oona = await asSet.person('oona')
    const { passed, refused } = await passing(() => oona.get('/me'))
    expect(passed).toBe(7200)
    expect(quotaIn(refused)).toEqual([7200, 0, Math.ceil((Date.now() + hour) / 1000)])
  }, 60_000)
})

describe('behind a proxy that is trusted', () => {
  const from = (forwardedFor: string) =>
    behindProxy.stranger.get('/users/me', { headers: { 'X-Forwarded-For': forwardedFor } })

  it('every address that the proxy names has its own quota', async () => {
    expect(await statuses(6, () => from('203.0.113.1'))).toEqual([404, 404, 404, 404, 404, 403])
    expect((await from('203.0.113.2')).status).toBe(404)
    expect((await from('203.0.113.1')).body.message).toContain('203.0.113.1')
  })

  it('what a client says of itself before the proxy does is not believed', async () => {
    const replies = []
    for (const n of [1, 2, 3, 4, 5, 6]) replies.push(await from(`198.51.100.${n}, 203.0.113.3, 10.1.2.3`))
    expect(replies.at(-1)?.body.message).toContain('203.0.113.3')
  })
})
