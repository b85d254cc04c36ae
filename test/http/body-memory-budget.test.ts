import { once } from 'node:events'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { App } from '../../src/app.ts'
import { bodyMemoryBudget } from '../../src/http/body-memory-budget.ts'
import { type Person, startTestApp, type TestApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { type RawConnection, rawConnection } from '../support/raw-http.ts'
import { largeMusicXml, musicXml } from '../support/scores.ts'

const mebibyte = 1024 * 1024

describe('large request bodies', () => {
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

  /** Sends the headers of a createScore request without its body. */
  function announce(length: string): RawConnection {
    const connection = rawConnection(app.url)
    connections.push(connection)
    const head = `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\nContent-Type: application/json`
    connection.write(`${head}\r\n${length}\r\n\r\n`)
    return connection
  }
  /** Sends the headers of a request and resolves when the server waits for its body. */
  async function sendHeaders(length: string): Promise<RawConnection> {
    const received = once(running.server.server, 'request')
    const connection = announce(length)
    await received
    // When this later request is answered, the first one has passed the same checks.
    await otto.get('/me')
    return connection
  }
  const refused = { status: 503, body: { code: 'SERVER_BUSY', id: expect.any(String) } }

  it('are 503 with Retry-After before they are sent, if they exceed the memory budget', async () => {
    const first = await sendHeaders(`Content-Length: ${10 * mebibyte}`)
    const second = announce(`Content-Length: ${10 * mebibyte}`)
    const reply = await second.reply()
    expect(reply).toMatchObject(refused)
    expect(Number(reply?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(reply?.headers.has('x-ratelimit-remaining')).toBe(true)
    expect((await otto.post('/scores', { data: largeMusicXml(8 * mebibyte) })).status).toBe(503)
    expect((await otto.post('/scores', { data: largeMusicXml(4 * mebibyte) })).status).toBe(200)
    expect((await otto.post('/scores', { data: musicXml() })).status).toBe(200)
    first.socket.destroy()
    // The server notices the closed connection a moment later.
    const sendAgain = async () => (await otto.post('/scores', { data: largeMusicXml(8 * mebibyte) })).status
    await expect.poll(sendAgain, { timeout: 20_000 }).toBe(200)
  })

  it('without Content-Length count with the maximum size of the operation', async () => {
    await sendHeaders('Transfer-Encoding: chunked')
    expect(await announce(`Content-Length: ${2 * mebibyte}`).reply()).toMatchObject(refused)
    expect((await otto.post('/scores', { data: musicXml() })).status).toBe(200)
  })

  it('release the budget after their request, successful or not', async () => {
    for (let i = 0; i < 3; i++) {
      expect((await otto.post('/scores', { data: largeMusicXml(9 * mebibyte) })).status).toBe(200)
      expect((await otto.post('/scores', { data: 'x'.repeat(9 * mebibyte) })).status).toBe(400)
      expect((await otto.post('/scores', { data: [largeMusicXml(9 * mebibyte)] })).status).toBe(400)
    }
  })

  it('take no budget if the request is refused before', async () => {
    await sendHeaders(`Content-Length: ${10 * mebibyte}`)
    const reply = await app.anonymous.post('/scores', { data: largeMusicXml(8 * mebibyte) })
    expect(reply.status).toBe(401)
  })
})

it('keeps the budget of a body while its handler runs, even if the client disconnects', async () => {
  const server = Fastify({ bodyLimit: 10 * mebibyte, forceCloseConnections: true })
  onTestFinished(() => server.close())
  const bodies = bodyMemoryBudget(3 * mebibyte)
  const started = Promise.withResolvers<void>()
  const work = Promise.withResolvers<string>()
  const ended = Promise.withResolvers<void>()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async (request, reply) => bodies.take(request, reply, 10 * mebibyte))
  server.post('/work', async (request) => {
    started.resolve()
    return bodies.during(request, () => work.promise).finally(ended.resolve)
  })
  server.post('/', async () => 'done')
  const url = await server.listen()
  const status = async () => {
    const body = new Uint8Array(2 * mebibyte)
    const reply = await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'x/y' } })
    await reply.arrayBuffer()
    return reply.status
  }

  const connection = once(server.server, 'connection')
  const client = rawConnection(url)
  const [accepted] = await connection
  client.write(
    `POST /work HTTP/1.1\r\nHost: x\r\nContent-Type: x/y\r\nContent-Length: ${2 * mebibyte}\r\n\r\n`,
  )
  client.write(new Uint8Array(2 * mebibyte))
  await started.promise
  client.socket.destroy()
  await once(accepted, 'close')
  expect(await status()).toBe(503)
  work.resolve('done')
  await ended.promise
  expect(await status()).toBe(200)
})
