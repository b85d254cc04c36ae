import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stopServer } from '../../src/http/stop-server.ts'
import { startTestApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { rawConnection } from '../support/raw-http.ts'
import { emptyPiano } from '../support/scores.ts'

const databases = usingDatabases('sqlite')

async function startServer() {
  const { app, running, stop } = await startTestApp(await databases.migrated())
  const otto = await app.person('otto')
  const body = JSON.stringify(emptyPiano())
  const head =
    `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return { app, running, stop, otto, body, head }
}

describe('a server that is stopping', () => {
  it('completes the current requests and accepts no new connections', async () => {
    const { app, running, stop, head, body } = await startServer()
    const client = rawConnection(app.url)
    const started = once(running.server.server, 'request')
    client.write(head + body.slice(0, 10))
    await started
    const stopped = stop()
    const late = rawConnection(app.url)
    late.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await late.reply()).toBeUndefined()
    client.write(body.slice(10))
    const reply = await client.reply()
    expect(reply).toMatchObject({ status: 200, body: { title: 'Empty' } })
    await stopped
    await client.closed()
  })

  it('completes a request that is still arriving on an open connection', async () => {
    const { app, running, stop, otto } = await startServer()
    const connected = once(running.server.server, 'connection')
    const client = rawConnection(app.url)
    const [socket] = await connected
    const start = `GET /v2/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\n`
    client.write(start)
    while (socket.bytesRead < start.length) await setImmediate()
    const stopped = stop()
    client.write('\r\n')
    expect(await client.reply()).toMatchObject({ status: 200, body: { username: 'otto' } })
    await stopped
  })

  it('aborts the remaining requests when its time limit is over', async () => {
    const { app, running, stop, head } = await startServer()
    const client = rawConnection(app.url)
    const started = once(running.server.server, 'request')
    client.write(head)
    await started
    await stopServer(running.server, 100)
    await client.closed()
    await stop()
  })

  it('closes connections on which no request has arrived', async () => {
    const { app, running, stop } = await startServer()
    const connected = once(running.server.server, 'connection')
    const client = rawConnection(app.url)
    await connected
    await stopServer(running.server, 600_000)
    await client.closed()
    await stop()
  })

  it('closes idle connections immediately', async () => {
    const { stop, otto } = await startServer()
    // Node's fetch keeps its connection open for the next request.
    expect((await otto.get('/me')).status).toBe(200)
    await stop()
  })
})
