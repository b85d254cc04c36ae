import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/app.ts'
import { authenticator } from '../../src/auth/authenticate.ts'
import { type BodyMemoryBudget, bodyMemoryBudget } from '../../src/http/body-memory-budget.ts'
import { type BodyTurns, bodyTurns } from '../../src/http/body-turns.ts'
import { sendError } from '../../src/http/errors.ts'
import { createServer } from '../../src/http/server.ts'
import { operations } from '../../src/operations.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { usingDatabases } from '../support/databases.ts'
import { type RawConnection, rawConnection } from '../support/raw-http.ts'
import { largeMusicXml, musicXml } from '../support/scores.ts'

const mebibyte = 1024 * 1024
const refused = { status: 503, body: { code: 'SERVER_BUSY', id: expect.any(String) } }

/** A request whose body a test sends piece by piece. */
interface Upload extends RawConnection {
  /** Sends this number of bytes of the body and resolves when the server has received them. */
  send(bytes: number): Promise<void>
}

/** Sends the request line and the headers in `head`. Resolves when the server has received them. */
async function beginUpload(server: FastifyInstance['server'], url: string, head: string): Promise<Upload> {
  const [connected, received] = [once(server, 'connection'), once(server, 'request')]
  const connection = rawConnection(url)
  const [accepted] = (await connected) as [Socket]
  connection.write(`${head}\r\n\r\n`)
  await received
  return {
    ...connection,
    async send(bytes) {
      const expected = accepted.bytesRead + bytes
      connection.write(new Uint8Array(bytes).fill(0x20))
      while (accepted.bytesRead < expected && !accepted.destroyed) await setImmediate()
    },
  }
}

describe('large request bodies', () => {
  const databases = usingDatabases('sqlite')
  const uploads: Upload[] = []
  let running: App
  let app: TestApp
  let otto: Person
  let stop: () => Promise<void>

  beforeAll(async () => {
    ;({ app, running, stop } = await startTestApp(await databases.migrated(), { bodyMemory: '32' }))
    otto = await app.person('otto')
  })
  afterEach(() => {
    for (const { socket } of uploads.splice(0)) socket.destroy()
  })
  afterAll(() => stop?.())

  /** Sends the headers of a createScore request without its body. */
  async function announce(
    person: Person,
    lengthHeader: string,
    { server } = running.server,
  ): Promise<Upload> {
    const upload = await beginUpload(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.token}\r\nContent-Type: application/json\r\n${lengthHeader}`,
    )
    uploads.push(upload)
    return upload
  }
  const newScore = (person: Person, mebibytes: number) =>
    person.post('/scores', { data: largeMusicXml(mebibytes * mebibyte) })

  it('use no memory before they are sent', async () => {
    const others = await Promise.all(['oona', 'omar'].map((name) => app.person(name)))
    for (const person of [otto, ...others])
      for (let n = 0; n < 3; n++) await announce(person, `Content-Length: ${15 * mebibyte}`)
    await announce(otto, 'Transfer-Encoding: chunked')
    expect((await newScore(others[0] as Person, 9)).status).toBe(200)
    expect((await newScore(otto, 9)).status).toBe(200)
  })

  it('above the share of one account are refused with 503, and those of other accounts are accepted', async () => {
    const olga = await app.person('olga')
    const slow: Upload[] = []
    for (const size of [4, 4, 4, 4, 8]) slow.push(await announce(otto, `Content-Length: ${size * mebibyte}`))
    for (const upload of slow.slice(0, 4)) await upload.send(3 * mebibyte)
    expect((await newScore(otto, 4)).status).toBe(503)
    expect((await otto.post('/scores', { data: musicXml() })).status).toBe(200)
    expect((await newScore(olga, 9)).status).toBe(200)
    await slow[4]?.send(4 * mebibyte)
    const reply = await slow[4]?.reply()
    expect(reply).toMatchObject(refused)
    expect(Number(reply?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply?.headers.has('x-ratelimit-remaining')).toBe(true)
    await slow[4]?.closed()
    for (const { socket } of slow) socket.destroy()
    // The server notices the closed connections a moment later.
    await expect.poll(async () => (await newScore(otto, 9)).status, { timeout: 20_000 }).toBe(200)
  })

  it('of several accounts can use the whole budget, and a smaller one still succeeds', async () => {
    const people = await Promise.all(['pia', 'paul'].map((name) => app.person(name)))
    const slow: Upload[] = []
    for (const person of people) {
      slow.push(await announce(person, `Content-Length: ${15 * mebibyte}`))
      await slow.at(-1)?.send(14 * mebibyte)
    }
    expect((await newScore(otto, 9)).status).toBe(200)
    // The server refused one of the two bodies, and reads the rest of the other.
    const statuses = await Promise.all(
      slow.map(async (upload) => {
        await upload.send(mebibyte)
        return (await upload.reply())?.status
      }),
    )
    expect(statuses.toSorted()).toEqual([400, 503])
  })

  it('no longer count after their request has succeeded or failed', async () => {
    for (let i = 0; i < 3; i++) {
      expect((await newScore(otto, 9)).status).toBe(200)
      expect((await otto.post('/scores', { data: 'x'.repeat(9 * mebibyte) })).status).toBe(400)
      expect((await otto.post('/scores', { data: [largeMusicXml(9 * mebibyte)] })).status).toBe(400)
    }
  })

  it('count while the server authenticates the request again after they arrived, even if the client disconnects', async () => {
    const authenticate = authenticator(running.ctx)
    const [secondCall, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let calls = 0
    const server = await createServer(running.ctx, [operations.createScore], {
      async authenticate(request) {
        if (++calls === 2) {
          secondCall.resolve()
          await released.promise
        }
        return authenticate(request)
      },
      mounts: [],
    })
    try {
      const client = clientOf(await server.listen(), otto.token)
      const save = () => client.post('/scores', { data: largeMusicXml(9 * mebibyte) })
      const connection = once(server.server, 'connection')
      const [padding, document] = [9 * mebibyte, JSON.stringify({ data: musicXml() })]
      const upload = await announce(otto, `Content-Length: ${padding + document.length}`, server)
      const [accepted] = (await connection) as [Socket]
      await upload.send(padding)
      upload.write(document)
      await secondCall.promise
      upload.socket.destroy()
      await once(accepted, 'close')
      expect((await save()).status).toBe(503)
      released.resolve()
      await expect.poll(async () => (await save()).status, { timeout: 20_000 }).toBe(200)
    } finally {
      released.resolve()
      await server.close()
    }
  })

  it('are not awaited if the headers of the request are refused', async () => {
    const upload = await announce({ ...otto, token: 'unknown' }, `Content-Length: ${8 * mebibyte}`)
    expect(await upload.reply()).toMatchObject({ status: 401 })
  })

  it('above the maximum length and without Content-Length are refused with 413', async () => {
    const upload = await announce(otto, 'Transfer-Encoding: chunked')
    const chunk = `${mebibyte.toString(16)}\r\n${' '.repeat(mebibyte)}\r\n`
    for (let n = 0; n < 20; n++) upload.write(chunk)
    upload.write('0\r\n\r\n')
    expect(await upload.reply()).toMatchObject({ status: 413 })
  })
})

/** Body turns without limits: every body is read and handled immediately. */
const noTurns: BodyTurns = { start: async () => ({ arrived: async () => {}, end() {} }) }

describe('the body memory budget', () => {
  const limit = mebibyte
  let server: FastifyInstance
  let bodies: BodyMemoryBudget
  let url: string
  let work: PromiseWithResolvers<string>
  let started: PromiseWithResolvers<void>
  let ended: PromiseWithResolvers<void>
  /** The number of calls of the handler of `/work`. Each call ends when the test resolves `work`. */
  let calls = 0

  beforeEach(async () => {
    server = Fastify({ bodyLimit: limit, forceCloseConnections: true })
    bodies = bodyMemoryBudget(3 * limit, noTurns)
    work = Promise.withResolvers()
    started = Promise.withResolvers()
    ended = Promise.withResolvers()
    calls = 0
    server.setErrorHandler(sendError)
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    server.addHook('preParsing', (request, reply, payload) => {
      const caller = String(request.headers['x-caller'])
      return bodies.receive({ request, reply, payload, caller, limit })
    })
    server.post('/work', async (request) => {
      calls++
      started.resolve()
      return bodies.during(request, () => work.promise).finally(ended.resolve)
    })
    server.post('/', async (request) => `${(request.body as Buffer).length}`)
    url = await server.listen()
  })
  afterEach(() => server.close())

  const uploadOf = (caller: string, length: number, path = '/') =>
    beginUpload(
      server.server,
      url,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Caller: ${caller}\r\nContent-Type: x/y\r\nContent-Length: ${length}`,
    )
  const statusOf = async (caller: string, bytes = limit, path = '/') => {
    const headers = { 'Content-Type': 'x/y', 'X-Caller': caller }
    const reply = await fetch(url + path, { method: 'POST', body: new Uint8Array(bytes), headers })
    await reply.arrayBuffer()
    return reply.status
  }

  it('counts a body while its handler runs, even if the client disconnects', async () => {
    const connection = once(server.server, 'connection')
    const client = await uploadOf('a', limit, '/work')
    const [accepted] = await connection
    await client.send(limit)
    await started.promise
    client.socket.destroy()
    await once(accepted, 'close')
    expect([await statusOf('a'), await statusOf('b')]).toEqual([503, 200])
    work.resolve('done')
    await ended.promise
    expect(await statusOf('a')).toBe(200)
  })

  it('refuses the arriving body of the caller with the most bytes, and never a body whose handler runs', async () => {
    bodies = bodyMemoryBudget(4 * limit, noTurns)
    const handled = await uploadOf('a', limit, '/work')
    await handled.send(limit)
    await started.promise
    const most = await uploadOf('b', limit)
    const less = await uploadOf('c', limit)
    const least = await uploadOf('d', limit)
    await most.send(1_000_000)
    await less.send(900_000)
    await least.send(800_000)
    await (await uploadOf('e', limit)).send(600_000)
    expect((await most.reply())?.status).toBe(503)
    await most.closed()
    await less.send(limit - 900_000)
    await least.send(limit - 800_000)
    work.resolve('done')
    for (const upload of [handled, less, least]) expect((await upload.reply())?.status).toBe(200)
  })

  it('limits a caller to what complete bodies leave free', async () => {
    const handled: Upload[] = []
    for (const caller of ['a', 'b']) {
      const upload = await uploadOf(caller, limit, '/work')
      await upload.send(limit)
      handled.push(upload)
    }
    expect([await statusOf('c'), await statusOf('c', limit / 2)]).toEqual([503, 200])
    work.resolve('done')
    for (const upload of handled) expect((await upload.reply())?.status).toBe(200)
    expect(await statusOf('c')).toBe(200)
  })

  it('has room for a sixth caller after five callers have sent as much as they can', async () => {
    bodies = bodyMemoryBudget(16 * limit, noTurns)
    const heavy = ['a', 'b', 'c', 'd', 'e']
    for (const caller of heavy) {
      for (let n = 0; n < 5; n++) await (await uploadOf(caller, limit, '/work')).send(limit)
    }
    for (const caller of heavy) await (await uploadOf(caller, limit)).send(limit / 2)
    expect(await statusOf('f', limit / 2)).toBe(200)
  })

  it('reads and handles at most two bodies of a caller at the same time', async () => {
    bodies = bodyMemoryBudget(16 * limit, bodyTurns())
    const statuses = [statusOf('a', limit, '/work'), statusOf('a', limit, '/work')]
    await expect.poll(() => calls).toBe(2)
    const connection = once(server.server, 'connection')
    const third = await uploadOf('a', limit, '/work')
    const [accepted] = (await connection) as [Socket]
    third.write(new Uint8Array(limit))
    expect(await statusOf('b')).toBe(200)
    expect([calls, accepted.bytesRead < limit]).toEqual([2, true])
    work.resolve('done')
    expect(await Promise.all(statuses)).toEqual([200, 200])
    expect((await third.reply())?.status).toBe(200)
  })

  it('reads the next bodies of a caller while slow ones arrive, and handles at most two at the same time', async () => {
    bodies = bodyMemoryBudget(16 * limit, bodyTurns(1))
    const slow = [await uploadOf('a', limit, '/work'), await uploadOf('a', limit, '/work')]
    const statuses = [statusOf('a', limit, '/work'), statusOf('a', limit, '/work')]
    await expect.poll(() => calls).toBe(2)
    for (const upload of slow) await upload.send(limit)
    expect([await statusOf('b'), calls]).toEqual([200, 2])
    work.resolve('done')
    expect(await Promise.all(statuses)).toEqual([200, 200])
    for (const upload of slow) expect((await upload.reply())?.status).toBe(200)
  })

  it('does not count bodies of at most 64 KiB', async () => {
    const slow = await uploadOf('a', limit)
    await slow.send(limit - 1)
    expect([await statusOf('a', 64 * 1024), await statusOf('a', 64 * 1024 + 1)]).toEqual([200, 503])
  })
})
