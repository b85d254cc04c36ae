import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { rawRequest } from '../support/raw-http.ts'
import { makeSchool, type School } from '../support/school.ts'
import { musicXml } from '../support/scores.ts'

const app = useApp(usingDatabases('sqlite'))
let people: School
let tess: Person

beforeAll(async () => {
  people = await makeSchool(app)
  tess = people.tess
})

/** Builds a raw HTTP request. */
const wire = (line: string, headers: Record<string, string> = {}, body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`

describe('an unknown path', () => {
  it.each(['GET /v2/nothing', 'GET /v2/scores/1/2/3/4/5/6', 'GET /v2/omr/capabilities'])(
    '%s is 404',
    async (line) => {
      const reply = await rawRequest(app.url, wire(line))
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: expect.any(String) } })
      expect(reply?.headers.has('x-ratelimit-limit')).toBe(true)
    },
  )

  it('is 404 regardless of the body', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '3' }
    expect((await rawRequest(app.url, wire('POST /v2/nothing', headers, 'abc')))?.body.code).toBe('NOT_FOUND')
    const text = { 'Content-Type': 'text/plain', 'Content-Length': '3' }
    expect((await rawRequest(app.url, wire('POST /v2/nothing', text, 'abc')))?.body.code).toBe('NOT_FOUND')
  })

  it.each(['/nothing', '/V2/me', '//v2/me', '/healthz/more', '/files', '/docs/nothing'])(
    '%s outside of /v2 is 404 with the same body',
    async (path) => {
      const reply = await rawRequest(app.url, wire(`GET ${path}`))
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    },
  )
})

describe('an unsupported method', () => {
  it.each([
    ['GET /v2/scores', 'OPTIONS, POST'],
    ['HEAD /v2/scores', 'OPTIONS, POST'],
    ['PATCH /v2/scores/1', 'DELETE, GET, HEAD, OPTIONS, POST, PUT'],
    ['DELETE /v2/me', 'GET, HEAD, OPTIONS'],
    ['DELETE /v2/me/?onlyId=true', 'GET, HEAD, OPTIONS'],
    ['POST /v2/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PROPFIND /v2/me', 'GET, HEAD, OPTIONS'],
    ['TRACE /v2/me', 'GET, HEAD, OPTIONS'],
    ['QUERY /v2/scores', 'OPTIONS, POST'],
  ])('%s is 405 and allows %s', async (line, allow) => {
    const reply = await rawRequest(app.url, wire(line))
    expect(reply?.status).toBe(405)
    expect(reply?.headers.get('allow')).toBe(allow)
    expect(reply?.headers.has('x-ratelimit-limit')).toBe(true)
    if (!line.startsWith('HEAD')) expect(reply?.body.code).toBe('METHOD_NOT_ALLOWED')
  })
})

describe('a malformed request', () => {
  it.each<[string, string, number, string]>([
    ['a path with an invalid escape', wire('GET /v2/scores/%zz'), 400, 'BAD_REQUEST'],
    ['a path that is not UTF-8', wire('GET /v2/scores/%c3%28'), 400, 'BAD_REQUEST'],
    ['headers of 20 KB', wire('GET /v2/me', { 'X-Long': 'x'.repeat(20_000) }), 431, 'HEADERS_TOO_LARGE'],
    ['a path of 20 KB', wire(`GET /v2/${'x'.repeat(20_000)}`), 431, 'HEADERS_TOO_LARGE'],
    ['another protocol', 'SSH-2.0-client\r\n\r\n', 400, 'BAD_REQUEST'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a header with a space in its name', wire('GET /v2/me', { 'Bad Name': 'x' }), 400, 'BAD_REQUEST'],
    ['a negative Content-Length', wire('POST /v2/scores', { 'Content-Length': '-1' }), 400, 'BAD_REQUEST'],
    [
      'two Content-Length headers',
      wire('POST /v2/scores', { 'Content-Length': '1\r\nContent-Length: 2' }, 'ab'),
      400,
      'BAD_REQUEST',
    ],
    [
      'Content-Length and chunked encoding',
      wire('POST /v2/scores', { 'Content-Length': '1', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
      400,
      'BAD_REQUEST',
    ],
  ])('%s gets the JSON error body', async (_what, bytes, status, code) => {
    expect(await rawRequest(app.url, bytes)).toMatchObject({
      status,
      body: { code, message: expect.any(String) },
    })
  })

  it('gets a JSON error, and the next request is served', async () => {
    const reply = await rawRequest(app.url, 'nonsense\r\n\r\n')
    expect(reply?.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect((await tess.get('/me')).status).toBe(200)
  })
})

it('needs no Host header and does not build URLs from it', async () => {
  const reply = await rawRequest(app.url, `GET /v2/users/${people.otto.id} HTTP/1.1\r\n\r\n`)
  expect(reply).toMatchObject({ status: 200, body: { htmlUrl: `${app.url}/users/${people.otto.id}` } })
  const spoofed = `GET /v2/users/${people.otto.id} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n\r\n`
  expect(JSON.stringify((await rawRequest(app.url, spoofed))?.body)).not.toContain('evil')
})

describe('a token', () => {
  const me = (headers: Record<string, string>, path = '/me') => app.anonymous.get(path, { headers })

  it('is accepted as a bearer token (RFC 6750), even without the scheme', async () => {
    for (const scheme of ['Bearer ', 'bearer ', 'Bearer   ', '']) {
      expect((await me({ Authorization: scheme + tess.token })).body.id).toBe(tess.id)
    }
  })

  it('is not accepted in the URL, in a cookie or with another scheme', async () => {
    expect((await me({}, `/me?access_token=${tess.token}`)).status).toBe(401)
    expect((await me({ Cookie: `access_token=${tess.token}` })).status).toBe(401)
    expect((await me({ Authorization: `Basic ${tess.token}` })).status).toBe(401)
    expect((await me({ Authorization: `Bearer ${tess.token} x` })).status).toBe(401)
  })

  it('is 401 with WWW-Authenticate if it is missing and required', async () => {
    const { status, headers, body } = await me({})
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is 401 if it is invalid, even if the operation needs no token', async () => {
    const { id } = (await people.otto.post('/scores', { data: musicXml(), privacy: 'public' })).body
    expect((await app.anonymous.get(`/scores/${id}`)).status).toBe(200)
    for (const token of [
      'nonsense',
      `${tess.token}x`,
      tess.token.slice(0, -1),
      tess.token.toLowerCase(),
      'Bearer',
    ]) {
      const { status, headers, body } = await me({ Authorization: `Bearer ${token}` }, `/scores/${id}`)
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
  })

  it('is 403 without any of the operation’s scopes; one of them suffices', async () => {
    const none = await app.withScopes(tess, 'collections.readonly')
    const { status, headers, body } = await none.post('/scores', { data: musicXml() })
    expect([status, body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="scores"')
    for (const scope of ['collections', 'collections.readonly'] as const) {
      expect((await (await app.withScopes(tess, scope)).get('/collections')).status).toBe(200)
    }
  })
})

describe('the order of the checks:', () => {
  let scopeless: Person
  let score: string

  beforeAll(async () => {
    scopeless = await app.withScopes(tess, 'notifications.readonly')
    score = (await tess.post('/scores', { data: musicXml(), privacy: 'organizationPublic' })).body.id
  })

  const tooLong = 16 * 1024 * 1024
  const send = (line: string, headers: Record<string, string>, body = '') =>
    rawRequest(app.url, wire(line, headers, body))
  const text = { 'Content-Type': 'text/plain', 'Content-Length': '1' }
  const tokenOf = (person: Person) => ({ Authorization: `Bearer ${person.token}` })

  it('the size of the body before the route', async () => {
    const reply = await send('POST /v2/nothing', { 'Content-Length': `${tooLong}` })
    expect(reply).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    expect(reply?.headers.has('x-ratelimit-remaining')).toBe(true)
  })

  it('the size of the body before the token', async () => {
    expect((await send('POST /v2/scores', { 'Content-Length': `${tooLong}` }))?.status).toBe(413)
  })

  it('the route before the token', async () => {
    expect((await send('GET /v2/nothing', { Authorization: 'Bearer bad' }))?.status).toBe(404)
    expect((await send('PATCH /v2/me', { Authorization: 'Bearer bad' }))?.status).toBe(405)
  })

  it('the token before the media type', async () => {
    expect((await send('POST /v2/scores', text, '{'))?.status).toBe(401)
  })

  it('the scope before the media type', async () => {
    expect((await send('POST /v2/scores', { ...tokenOf(scopeless), ...text }, '{'))?.status).toBe(403)
  })

  it('the media type before the object', async () => {
    const missing = 'PUT /v2/scores/0123456789abcdef01234567'
    expect((await send(missing, { ...tokenOf(tess), ...text }, '{'))?.status).toBe(415)
  })

  it('the shape before the object', async () => {
    const { status, body } = await tess.put('/scores/0123456789abcdef01234567', { title: 5 })
    expect([status, body.param]).toEqual([400, 'title'])
    expect((await people.otto.put(`/scores/${score}`, { title: 5 })).status).toBe(400)
  })

  it('the object before the right to it', async () => {
    expect((await people.otto.put(`/scores/${score}`, { title: 'x' })).status).toBe(404)
    expect((await people.sam.put(`/scores/${score}`, { title: 'x' })).status).toBe(403)
  })

  it('the right to the object before its state', async () => {
    // Sam may not restore the score. This is checked before whether the score is in the trash.
    expect((await people.sam.post(`/scores/${score}/untrash`)).status).toBe(403)
    expect((await tess.post(`/scores/${score}/untrash`)).status).toBe(409)
  })
})

describe('a response to HEAD', () => {
  it('has the headers of the response to GET and no body', async () => {
    const [get, head] = [await tess.get('/me'), await tess.request('HEAD', '/me')]
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
    for (const name of ['content-type', 'content-length'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect((await app.anonymous.request('HEAD', '/me')).status).toBe(401)
  })
})

it('gives every response a unique id that clients cannot choose', async () => {
  const headers = { 'X-Request-Id': 'mine', 'Request-Id': 'mine' }
  const ids = [await tess.get('/me', { headers }), await tess.get('/nothing', { headers })].map((reply) =>
    reply.headers.get('x-request-id'),
  )
  expect(ids[0]).toMatch(/^[0-9a-f]{24}$/)
  expect(new Set(ids).size).toBe(2)
})

it('forbids content sniffing in every response', async () => {
  for (const path of ['/me', '/nothing']) {
    expect((await tess.get(path)).headers.get('x-content-type-options')).toBe('nosniff')
  }
})
