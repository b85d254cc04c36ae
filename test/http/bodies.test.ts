import http from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { type RawConnection, rawConnection, rawRequest } from '../support/raw-http.ts'
import { emptyPiano, musicXml } from '../support/scores.ts'

const app = useApp(usingDatabases('sqlite'))
let otto: Person
let score: string

beforeAll(async () => {
  otto = await app.person('otto')
  score = (await otto.post('/scores', emptyPiano())).body.id
})

const json = 'application/json'
const send = (
  body: string | Uint8Array<ArrayBuffer>,
  type: string | undefined = json,
  path = `/scores/${score}`,
) => otto.request('PUT', path, undefined, { body, headers: type ? { 'Content-Type': type } : {} })

describe('a media type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF8"',
    'Application/JSON',
  ])('%s is accepted', async (type) => {
    expect((await send('{}', type)).status).toBe(200)
  })

  it.each([
    'text/plain',
    'text/json',
    'application/json5',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    ';;;',
  ])('%s is 415', async (type) => {
    const { status, body } = await send('{}', type)
    expect([status, body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('is required: 415 without it', async () => {
    const head = `PUT /v2/scores/${score} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\nContent-Length: 2\r\n\r\n`
    expect(await rawRequest(app.url, `${head}{}`)).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    })
  })

  it('is ignored for a GET request with a body', async () => {
    const head = `GET /v2/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\nContent-Type: text/plain\r\n`
    expect((await rawRequest(app.url, `${head}Content-Length: 2\r\n\r\nab`))?.status).toBe(200)
  })
})

describe('a body', () => {
  it.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['that is truncated', '{"title":'],
    ['with single quotes', "{'title':'x'}"],
    ['with a trailing comma', '{"title":"x",}'],
    ['with several values', '{}{}'],
    ['that is HTML', '<html>'],
    ['of a single bracket', '['],
    ['that is not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['with an incomplete character', new Uint8Array([0x22, 0xe2, 0x99])],
    ['in UTF-16', Buffer.from('{"title":"x"}', 'utf16le')],
    ['with __proto__', '{"__proto__":{"title":"x"}}'],
    ['with __proto__ deep inside', '{"a":[{"__proto__":1}]}'],
    ['with the prototype of a constructor', '{"constructor":{"prototype":{"title":"x"}}}'],
    ['that nests 65 levels deep', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
  ])('%s is 400', async (_what, body) => {
    const reply = await send(body)
    expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_JSON'])
  })

  it('causes an error with the position of the problem and without its content', async () => {
    const { body } = await send('{"title": "private"\n "composer": 1}')
    expect(body.message).toMatch(/line 2/)
    expect(body.message).not.toContain('private')
  })

  it('with too many values is 400 with the position, before it is parsed', async () => {
    for (const body of [`{"data":[${'1,'.repeat(7_000_000)}1]}`, `{"data":[${'{},'.repeat(100_000)}{}]}`]) {
      const init = { body, headers: { 'Content-Type': json } }
      const reply = await otto.request('POST', '/scores', undefined, init)
      expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_JSON'])
      expect(reply.body.message).toMatch(/more than 100000 values at character \d+/)
    }
  })

  it('of 500,000 brackets is 400, and the next request is served', async () => {
    const brackets = '['.repeat(500_000)
    for (const body of [
      brackets,
      brackets + ']'.repeat(500_000),
      `{"a":${brackets}`,
      '{"a":'.repeat(500_000),
    ]) {
      const init = { body, headers: { 'Content-Type': json } }
      const reply = await otto.request('POST', '/scores', undefined, init)
      expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_JSON'])
    }
    expect((await otto.get('/me')).status).toBe(200)
  })

  it('can nest up to the maximum depth', async () => {
    expect((await send(`{"unknown":${'['.repeat(62)}${']'.repeat(62)}}`)).status).toBe(200)
  })

  it.each<[string, string]>([
    ['{"title":"a\\u0000b"}', 'title'],
    ['{"title":"\\ud83c"}', 'title'],
    ['{"title":"\\udfb5\\ud83c"}', 'title'],
    ['{"tags":["ok","\\u0000"]}', 'tags.1'],
    ['{"unknown":{"deep":"\\u0000"}}', 'unknown.deep'],
  ])('%s is refused because of text that cannot be stored at %s', async (body, param) => {
    const reply = await send(body)
    expect([reply.status, reply.body.code, reply.body.param]).toEqual([400, 'INVALID_PARAMETER', param])
  })

  it('can contain every other character', async () => {
    const title = 'a\u0001\u007f\u2028\ufeff\uffff🎵 <script>'
    expect((await otto.put(`/scores/${score}`, { title })).body.title).toBe(title)
    expect((await otto.get(`/scores/${score}`)).body.title).toBe(title)
  })

  it('is 400 if it is missing and required', async () => {
    for (const type of [undefined, json]) {
      const { status, body } = await otto.request('PUT', `/scores/${score}`, undefined, {
        headers: type ? { 'Content-Type': type } : {},
      })
      expect([status, body.param]).toEqual([400, 'body'])
    }
  })

  it('can be empty if it is not required', async () => {
    const init = { headers: { 'Content-Type': json } }
    expect((await otto.request('DELETE', '/scores/0123456789abcdef01234567', undefined, init)).status).toBe(
      404,
    )
  })
})

describe('a parameter', () => {
  it.each([
    ['/scores/%00', 'score'],
    ['/users/a%00b', 'user'],
    [`/scores/0123456789abcdef01234567?sharingKey=%00`, 'sharingKey'],
  ])('%s is refused because of U+0000 at %s', async (path, param) => {
    const { status, body } = await otto.get(path)
    expect([status, body.code, body.param]).toEqual([400, 'INVALID_PARAMETER', param])
  })

  it('is ignored if it is unknown', async () => {
    expect((await otto.get('/me?unknown=1&constructor=3&a[b]=c')).status).toBe(200)
  })

  it('is 400 if it is given twice but is not a list', async () => {
    const { status, body } = await otto.get('/collections?limit=1&limit=2')
    expect([status, body.param]).toEqual([400, 'limit'])
  })

  it('with an id of any invalid length is 404', async () => {
    for (const length of [101, 201, 10_000]) {
      expect((await otto.get(`/scores/${'a'.repeat(length)}`)).body.code).toBe('SCORE_NOT_FOUND')
      expect((await otto.get(`/nothing/${'a'.repeat(length)}`)).body.code).toBe('NOT_FOUND')
    }
  })
})

describe('a body that is too large', () => {
  const mebibyte = 1024 * 1024
  /** Creates a JSON object of exactly this number of bytes. */
  const bodyOfSize = (bytes: number) => `{"unknown":"${'x'.repeat(bytes - 14)}"}`
  const streamOf = (text: string) => new Blob([text]).stream()
  const post = (path: string, init: RequestInit & { duplex?: 'half' }) =>
    otto.request('POST', path, undefined, { ...init, headers: { 'Content-Type': json } })

  it('is 413 above 1 MiB, with and without Content-Length', async () => {
    expect((await send(bodyOfSize(mebibyte))).status).toBe(200)
    const declared = await send(bodyOfSize(mebibyte + 1))
    expect([declared.status, declared.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    const streamed = await post(`/scores/${score}`, {
      body: streamOf(bodyOfSize(mebibyte + 1)),
      duplex: 'half',
    })
    expect([streamed.status, streamed.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it.each(['/scores', '/scores/0123456789abcdef01234567/revisions'])(
    'is 413 above 15 MiB for %s',
    async (path) => {
      const within = await post(path, { body: bodyOfSize(15 * mebibyte) })
      expect([within.status, within.body.param]).toEqual([400, expect.any(String)])
      expect((await post(path, { body: bodyOfSize(15 * mebibyte + 1) })).status).toBe(413)
      const streamed = await post(path, { body: streamOf(bodyOfSize(15 * mebibyte + 1)), duplex: 'half' })
      expect(streamed.status).toBe(413)
    },
  )

  it('is refused by its Content-Length before it is sent', async () => {
    const head = `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\nContent-Type: ${json}\r\n`
    const reply = await rawRequest(app.url, `${head}Content-Length: 1000000000000\r\n\r\n`)
    expect(reply).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    expect(reply?.headers.get('connection')).toBe('close')
  })

  it('can still be sent: the client reads the error and reuses the connection', async () => {
    const length = 40 * mebibyte
    const head = `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\nContent-Type: ${json}\r\n`
    const connection = rawConnection(app.url)
    connection.write(`${head}Content-Length: ${length}\r\n\r\n`)
    const refused = { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } }
    expect(await connection.reply()).toMatchObject(refused)
    connection.write(new Uint8Array(length))
    connection.write(`${head}Content-Length: ${length}\r\n\r\n`)
    expect(await connection.reply()).toMatchObject(refused)
    connection.socket.destroy()
  })

  describe('is answered so that a client that sends it all before it reads gets the answer', () => {
    const piece = Buffer.alloc(mebibyte, 'x')
    const head = (...lines: string[]) =>
      [`POST /v2/scores HTTP/1.1`, 'Host: x', `Authorization: Bearer ${otto.token}`, `Content-Type: ${json}`]
        .concat(lines, '', '')
        .join('\r\n')
    const chunk = Buffer.concat([Buffer.from(`${mebibyte.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    const announced = (mebibytes: number, ...lines: string[]) => ({
      start: head(`Content-Length: ${mebibytes * mebibyte}`, ...lines),
      pieces: Array.from({ length: mebibytes }, () => piece),
    })
    const chunked = (mebibytes: number, ...lines: string[]) => ({
      start: head('Transfer-Encoding: chunked', ...lines),
      pieces: [...Array.from({ length: mebibytes }, () => chunk), Buffer.from('0\r\n\r\n')],
    })

    /** Writes everything before it reads anything, as simple clients do. */
    async function writeThenRead({ start, pieces }: { start: string; pieces: readonly Buffer[] }) {
      const connection = rawConnection(app.url)
      connection.socket.pause()
      connection.write(start)
      let hasFailed = false
      for (const one of pieces) {
        hasFailed = await new Promise((resolve) =>
          connection.socket.write(one, (error) => resolve(Boolean(error))),
        )
        if (hasFailed) break
      }
      connection.socket.resume()
      const reply = await connection.reply()
      return { connection, hasFailed, reply }
    }

    const answer = { status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } }

    it.each([
      ['with an announced length', () => announced(40)],
      ['with an announced length, on a connection to close', () => announced(40, 'Connection: close')],
      ['in chunks', () => chunked(40)],
      ['in chunks, on a connection to close', () => chunked(40, 'Connection: close')],
    ])('%s', async (_how, request) => {
      const { hasFailed, reply, connection } = await writeThenRead(request())
      expect({ hasFailed, reply }).toMatchObject({ hasFailed: false, reply: answer })
      connection.socket.destroy()
    })

    it('closes the connection after the answer and the body, if the client asked for it', async () => {
      for (const request of [announced(20, 'Connection: close'), chunked(20, 'Connection: close')]) {
        const { connection } = await writeThenRead(request)
        await connection.closed()
      }
    })

    it.each([
      ['with an announced length', { 'Content-Length': 40 * mebibyte }],
      [
        'with an announced length, on a connection to close',
        { 'Content-Length': 40 * mebibyte, Connection: 'close' },
      ],
      ['in chunks', {}],
      ['in chunks, on a connection to close', { Connection: 'close' }],
    ])('with node:http, %s', async (_how, headers) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const request = http.request(`${app.url}/v2/scores`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${otto.token}`, 'Content-Type': json },
      })
      request.once('error', reject)
      request.once('response', async (response) => {
        resolve({ status: response.statusCode, body: await new Response(response as never).json() })
      })
      for (let i = 0; i < 40; i++) request.write(piece)
      request.end()
      expect(await promise).toMatchObject(answer)
    })

    it('is not read beyond 256 MiB: then the connection is closed', { timeout: 60_000 }, async () => {
      for (const line of ['Transfer-Encoding: chunked', `Content-Length: ${1024 * 1024 * mebibyte}`]) {
        const connection = rawConnection(app.url, { allowHalfOpen: true })
        connection.write(head(line))
        expect(await sendUntilClosed(connection)).toMatchObject(answer)
      }
    })

    /** Sends chunks without an end. Returns the answer when the server has closed the connection. */
    async function sendUntilClosed(connection: RawConnection) {
      let sent = 0
      while (await new Promise((resolve) => connection.socket.write(chunk, (error) => resolve(!error))))
        sent++
      expect(sent).toBeGreaterThan(256)
      await connection.closed()
      return connection.reply()
    }
  })

  it('leaves no data behind, and the next request is served', async () => {
    expect((await otto.get('/collections/allScores')).body.contents.scoresCount).toBe(1)
    expect((await otto.post('/scores', { data: musicXml() })).status).toBe(200)
  })
})
