import { once } from 'node:events'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../src/app.ts'
import { heldBodies } from '../../src/http/held-bodies.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { type RawConnection, rawConnection } from '../support/raw-http.ts'
import { largeMusicXml, musicXml } from '../support/scores.ts'

const mebibyte = 1024 * 1024

describe('large bodies', () => {
  const databases = usingDatabases('sqlite')
  const connections: RawConnection[] = []
  let running: App
  let app: TestApp
  let otto: Person
  let stop: () => Promise<void>

  beforeAll(async () => {
    ;({ app, running, stop } = await startTestApp(await databases.migrated(), { bodyMemory: '16' }))
    otto = await app.person('otto')
  })
  afterEach(() => {
    for (const { socket } of connections.splice(0)) socket.destroy()
  })
  afterAll(() => stop?.())

  /** Announces a body to createScore, of which nothing comes. */
  function announce(length: string): RawConnection {
    const connection = rawConnection(app.url)
    connections.push(connection)
    const head = `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\nContent-Type: application/json`
    connection.write(`${head}\r\n${length}\r\n\r\n`)
    return connection
  }
  /** Resolves when the server waits for the body that is announced. */
  async function untilExpected(length: string): Promise<RawConnection> {
    const seen = once(running.server.server, 'request')
    const connection = announce(length)
    await seen
    // What comes later has gone through the same checks.
    await otto.get('/me')
    return connection
  }
  const refused = { status: 503, body: { code: 'SERVER_BUSY', id: expect.any(String) } }

  it('beyond what may be held together are 503 before they come, and say when to try again', async () => {
    const first = await untilExpected(`Content-Length: ${10 * mebibyte}`)
    const second = announce(`Content-Length: ${10 * mebibyte}`)
    const reply = await second.reply()
    expect(reply).toMatchObject(refused)
    expect(Number(reply?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply?.headers.has('x-ratelimit-remaining')).toBe(true)
    expect((await otto.post('/scores', { data: largeMusicXml(8 * mebibyte) })).status).toBe(503)
    expect((await otto.post('/scores', { data: largeMusicXml(4 * mebibyte) })).status).toBe(200)
    expect((await otto.post('/scores', { data: musicXml() })).status).toBe(200)
    first.socket.destroy()
    // A moment later the server knows as well.
    const again = async () => (await otto.post('/scores', { data: largeMusicXml(8 * mebibyte) })).status
    await expect.poll(again, { timeout: 20_000 }).toBe(200)
  })

  it('that do not say how long they are count for as much as they may have', async () => {
    await untilExpected('Transfer-Encoding: chunked')
    expect(await announce(`Content-Length: ${2 * mebibyte}`).reply()).toMatchObject(refused)
    expect((await otto.post('/scores', { data: musicXml() })).status).toBe(200)
  })

  it('make room again when they are done with, well or not', async () => {
    for (let i = 0; i < 3; i++) {
      expect((await otto.post('/scores', { data: largeMusicXml(9 * mebibyte) })).status).toBe(200)
      expect((await otto.post('/scores', { data: 'x'.repeat(9 * mebibyte) })).status).toBe(400)
      expect((await otto.post('/scores', { data: [largeMusicXml(9 * mebibyte)] })).status).toBe(400)
    }
  })

  it('are not counted where the caller is refused anyway', async () => {
    await untilExpected(`Content-Length: ${10 * mebibyte}`)
    const reply = await app.stranger.post('/scores', { data: largeMusicXml(8 * mebibyte) })
    expect(reply.status).toBe(401)
  })
})

it('a body is held for as long as it is worked on, also when its sender has gone', async () => {
  const server = Fastify({ bodyLimit: 10 * mebibyte })
  onTestFinished(() => server.close())
  const bodies = heldBodies(3 * mebibyte)
  const begun = Promise.withResolvers<void>()
  const work = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<void>()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async (request, reply) => bodies.take(request, reply, 10 * mebibyte))
  server.post('/work', async (request) => {
    begun.resolve()
    return bodies.during(request, () => work.promise).finally(ended.resolve)
  })
  server.post('/', async () => 'done')
  const url = await server.listen()
  const status = async () => {
    const body = new Uint8Array(2 * mebibyte)
    return (await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'x/y' } })).status
  }

  const connection = once(server.server, 'connection')
  const client = rawConnection(url)
  const [accepted] = await connection
  client.write(`POST /work HTTP/1.1\r\nHost: x\r\nContent-Type: x/y\r\nContent-Length: ${2 * mebibyte}\r\n\r\n`)
  client.write(new Uint8Array(2 * mebibyte))
  await begun.promise
  client.socket.destroy()
  await once(accepted, 'close')
  expect(await status()).toBe(503)
  work.resolve('done')
  await ended.promise
  expect(await status()).toBe(200)
})
