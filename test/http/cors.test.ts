import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'

const app = useApp(usingDatabases('sqlite'))
let otto: Person
beforeAll(async () => {
  otto = await app.person('otto')
})

const Origin = 'https://app.example'

describe('every origin can read every response', () => {
  it.each<[string, string, string]>([
    ['a success', 'GET', '/v2/me'],
    ['an unknown address', 'GET', '/v2/nothing'],
    ['a wrong method', 'PATCH', '/v2/me'],
    ['a missing object', 'GET', '/v2/scores/1'],
    ['a broken address', 'GET', '/v2/%zz'],
    ['a linked file', 'GET', '/files/x'],
    ['the document', 'GET', '/v2/openapi.json'],
  ])('of %s, without credentials', async (_what, method, path) => {
    const { headers } = await fetch(app.url + path, {
      method,
      headers: { Origin, Authorization: `Bearer ${otto.token}` },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  })
})

it('exposes the headers for paging, quotas, revisions and files', async () => {
  const { headers } = await otto.get('/me', { headers: { Origin } })
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
  expect(exposed).toEqual(
    expect.arrayContaining([
      'link',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'x-total-assignments-count',
      'x-total-folders-count',
      'x-flat-score-revision',
      'x-flat-score-revision-date',
      'x-partita-pages',
      'content-disposition',
      'etag',
    ]),
  )
})

describe('a preflight request', () => {
  const sendPreflight = (path: string, method: string) =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization,content-type,x-flat-locale,idempotency-key',
      },
    })

  it.each(['GET', 'POST', 'PUT', 'DELETE'])('allows %s with every header', async (method) => {
    const { status, headers } = await sendPreflight('/v2/scores/1', method)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
    expect(headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,x-flat-locale,idempotency-key',
    )
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
  })

  it('needs no token and no existing object', async () => {
    expect((await sendPreflight('/v2/me', 'GET')).status).toBe(204)
  })

  it('does not count against the quota, but reports it', async () => {
    const remaining = async () =>
      Number((await sendPreflight('/v2/me', 'GET')).headers.get('x-ratelimit-remaining'))
    const before = await remaining()
    for (let i = 0; i < 5; i++) await sendPreflight('/v2/me', 'GET')
    expect(await remaining()).toBe(before)
  })

  it('is not required: a plain OPTIONS request is answered too', async () => {
    expect((await fetch(`${app.url}/v2/me`, { method: 'OPTIONS' })).status).toBe(204)
  })
})
