import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { closeIfStalled } from './stalled-readers.ts'

test('closes the connection of a client that takes no more of its response, and no other one', async () => {
  const closed: string[] = []
  const server = createServer((request, response) => {
    closeIfStalled(response, 500)
    response.end(Buffer.alloc(16 * 2 ** 20))
    response.once('close', () => closed.push(`${request.url} ${response.writableFinished}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stalled = get({ port, host: '127.0.0.1', path: '/stalled' })
  stalled.on('error', () => {})
  const [response] = await once(stalled, 'response')
  response.on('error', () => {})
  const [read] = await once(get({ port, host: '127.0.0.1', path: '/read' }), 'response')
  read.resume()
  await once(read, 'end')
  await expect.poll(() => closed.toSorted()).toEqual(['/read true', '/stalled false'])
  server.close()
  server.closeAllConnections()
})
