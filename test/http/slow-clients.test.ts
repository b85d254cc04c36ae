import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeSlowBodies } from '../../src/http/slow-bodies.ts'
import { usingDatabases } from '../support/databases.ts'
import type { App } from '../../src/app.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { type RawConnection, rawConnection } from '../support/raw-http.ts'

const second = 1000

describe('a request body', () => {
  let server: FastifyInstance
  let url: string
  let time = 0
  let client: RawConnection
  /** The server side of the client's connection. */
  let accepted: Socket

  beforeEach(async () => {
    // Only the interval is faked. The test triggers each check and sets its time.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    server = Fastify({ bodyLimit: 10_000_000 })
    closeSlowBodies(server, () => time)
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    server.post('/', async (request) => ({ bytes: (request.body as Buffer).length }))
    url = await server.listen()
    const connection = once(server.server, 'connection')
    client = rawConnection(url)
    ;[accepted] = await connection
  })
  afterEach(async () => {
    client.socket.destroy()
    vi.useRealTimers()
    await server.close()
  })

  /**
   * Sends the headers of a request with a body of this length and resolves when the server waits for the
   * body.
   */
  async function announce(length: number): Promise<void> {
    const received = once(server.server, 'request')
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`)
    await received
  }
  /** Sends this number of bytes and resolves when the server has received them. */
  async function send(bytes: number): Promise<void> {
    const expected = accepted.bytesRead + bytes
    client.write('x'.repeat(bytes))
    while (accepted.bytesRead < expected) await setImmediate()
  }
  function advance(milliseconds: number): void {
    time += milliseconds
    vi.advanceTimersByTime(second)
  }
  const isOpen = () => !accepted.destroyed

  it('is aborted if nothing arrives for 10 seconds', async () => {
    await announce(10_000)
    advance(10 * second)
    expect(isOpen()).toBe(true)
    advance(1)
    await client.closed()
  })

  it('is aborted 10 seconds after its last byte if it is incomplete', async () => {
    await announce(100_000)
    advance(5 * second)
    await send(50_000)
    advance(5 * second)
    advance(5 * second)
    expect(isOpen()).toBe(true)
    advance(5 * second + 1)
    await client.closed()
  })

  it('is aborted if it arrives too slowly', async () => {
    await announce(100_000)
    for (let i = 0; i < 10; i++) {
      await send(100)
      advance(second)
    }
    expect(isOpen()).toBe(true)
    advance(1)
    await client.closed()
  })

  it('of 10 MB may take two minutes', async () => {
    await announce(10_000_000)
    for (let sent = 0; sent < 10_000_000; sent += 500_000) {
      advance(6 * second)
      await send(500_000)
    }
    expect(await client.reply()).toMatchObject({ status: 200, body: { bytes: 10_000_000 } })
  })

  it('that is complete causes no timeout while its handler runs', async () => {
    await announce(5)
    await send(5)
    expect((await client.reply())?.status).toBe(200)
    advance(60 * second)
    expect(isOpen()).toBe(true)
  })

  it('that does not arrive does not delay other requests', async () => {
    await announce(10_000)
    const reply = await fetch(url, {
      method: 'POST',
      body: 'hello',
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(await reply.json()).toEqual({ bytes: 5 })
  })
})

describe('request headers', () => {
  let running: App
  let app: TestApp
  let otto: Person
  let stop: () => Promise<void>
  const databases = usingDatabases('sqlite')

  beforeAll(async () => {
    ;({ app, running, stop } = await startTestApp(await databases.migrated()))
    otto = await app.person('otto')
  })
  afterAll(() => stop?.())

  it('must arrive within 10 seconds', () => {
    expect(running.server.server.headersTimeout).toBe(10 * second)
  })

  it('that do not arrive in time get the JSON error body and do not delay other requests', async () => {
    running.server.server.headersTimeout = 100
    const clients = Array.from({ length: 20 }, () => rawConnection(app.url))
    for (const { write } of clients) write('GET /v2/me HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    expect((await otto.get('/me')).status).toBe(200)
    for (const client of clients) {
      expect(await client.reply()).toMatchObject({ status: 408, body: { code: 'REQUEST_TIMEOUT' } })
      await client.closed()
    }
  })
})
