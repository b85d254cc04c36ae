import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stopServer } from '../../src/http/stop-server.ts'
import { startTestApp } from '../support/app.ts'
import { usingDatabases } from '../support/databases.ts'
import { rawConnection } from '../support/raw-http.ts'
import { emptyPiano } from '../support/scores.ts'

const databases = usingDatabases('sqlite')

async function started() {
  const { app, running, stop } = await startTestApp(await databases.migrated())
  const otto = await app.person('otto')
  const body = JSON.stringify(emptyPiano())
  const head =
    `POST /v2/scores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${otto.token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return { app, running, stop, otto, body, head }
}

describe('a server that is told to stop', () => {
  it('serves the requests that it has begun, and takes no new connections', async () => {
    const { app, running, stop, head, body } = await started()
    const client = rawConnection(app.url)
    const begun = once(running.server.server, 'request')
    client.write(head + body.slice(0, 10))
    await begun
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

  it('answers what still comes on an open connection as ever', async () => {
    const { app, running, stop, otto } = await started()
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

  it('cuts off what is still going on when its time is over', async () => {
    const { app, running, stop, head } = await started()
    const client = rawConnection(app.url)
    const begun = once(running.server.server, 'request')
    client.write(head)
    await begun
    await stopServer(running.server, 100)
    await client.closed()
    await stop()
  })

  it('does not wait for connections on which nothing happens', async () => {
    const { stop, otto } = await started()
    // Node's fetch keeps its connection for the next request.
    expect((await otto.get('/me')).status).toBe(200)
    await stop()
  })
})
