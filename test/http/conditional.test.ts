import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import type { ResponseHeaders } from '../support/http.ts'
import { emptyPiano } from '../support/scores.ts'

const app = useApp(usingDatabases('sqlite'), { rateLimitAuthenticated: '100' })
let otto: Person
let score: string

beforeAll(async () => {
  otto = await app.person('otto')
  score = (await otto.post('/scores', { ...emptyPiano(), title: 'First', privacy: 'public' })).body.id
})

const tagOf = async (path: string): Promise<string> => (await otto.get(path)).headers.get('etag') ?? ''
const getIfNoneMatch = (tag: string, path: string) => otto.get(path, { headers: { 'If-None-Match': tag } })
const remaining = ({ headers }: { headers: ResponseHeaders }) => Number(headers.get('x-ratelimit-remaining'))

describe.each([
  '/scores/{score}',
  '/collections/app/scores',
  '/me',
  '/scores/{score}/revisions/last/xml',
  '/scores/{score}/revisions/last/json',
  '/scores/{score}/revisions/last/thumbnail.png',
])('GET %s', (template) => {
  const path = () => template.replace('{score}', score)

  it('has an entity tag that stays the same while the response does', async () => {
    const { headers } = await otto.get(path())
    expect(headers.get('etag')).toMatch(/^"[\w-]{27,64}"$/)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(await tagOf(path())).toBe(headers.get('etag'))
  })

  it('returns 304 if the client has the current representation', async () => {
    const tag = await tagOf(path())
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const { status, bytes, headers } = await getIfNoneMatch(known, path())
      expect([known, status, bytes.length, headers.get('etag')]).toEqual([known, 304, 0, tag])
    }
    for (const other of ['"other"', tag.slice(1, -1)])
      expect((await getIfNoneMatch(other, path())).status).toBe(200)
  })
})

it('changes the entity tag when a score changes, in lists too', async () => {
  const before = [await tagOf(`/scores/${score}`), await tagOf('/collections/app/scores')]
  await otto.put(`/scores/${score}`, { title: 'Second' })
  const [ofScore = '', ofList = ''] = before
  expect((await getIfNoneMatch(ofScore, `/scores/${score}`)).body.title).toBe('Second')
  expect((await getIfNoneMatch(ofList, '/collections/app/scores')).body[0].title).toBe('Second')
})

it('changes the entity tag of the last page when another page follows it', async () => {
  const olga = await app.person('olga')
  await olga.post('/scores', emptyPiano())
  const page = '/collections/app/scores?limit=1&sort=creationDate&direction=asc'
  const before = await olga.get(page)
  await olga.post('/scores', emptyPiano())
  const after = await olga.get(page, { headers: { 'If-None-Match': before.headers.get('etag') ?? '' } })
  expect([after.status, after.body]).toEqual([200, before.body])
  expect(after.headers.get('link')).toContain('rel="next"')
})

it('counts a 304 as a third of a request', async () => {
  const paula = await app.person('paula')
  const { headers } = await paula.get('/me')
  const known = { headers: { 'If-None-Match': headers.get('etag') ?? '' } }
  const remainders = []
  for (let i = 0; i < 4; i++) remainders.push(remaining(await paula.get('/me', known)))
  expect(remainders).toEqual([98, 98, 98, 97])
  expect(remaining(await paula.get('/me'))).toBe(96)
})

it('returns 404 without an entity tag to a caller who cannot see the score', async () => {
  const secret = (await otto.post('/scores', emptyPiano())).body.id
  const tag = await tagOf(`/scores/${secret}`)
  const reply = await app.anonymous.get(`/scores/${secret}`, { headers: { 'If-None-Match': tag } })
  expect([reply.status, reply.headers.get('etag')]).toEqual([404, null])
})

it('sends entity tags only for responses to successful GET requests', async () => {
  const replies = [
    await otto.put(`/scores/${score}`, { subtitle: 'Changed' }),
    await otto.get('/scores/nothing'),
  ]
  expect(replies.map(({ headers }) => headers.get('etag'))).toEqual([null, null])
})

it('keeps shared caches from storing the files of a score', async () => {
  for (const path of [`/scores/${score}/revisions/last/xml`, `/scores/${score}/revisions/last/mxl`]) {
    const { status, headers } = await otto.get(path)
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'private, no-cache'])
  }
})
