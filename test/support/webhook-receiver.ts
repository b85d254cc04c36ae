import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

/** A request that a receiver of webhooks got. */
export interface ReceivedMessage {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export interface WebhookReceiver {
  readonly url: string
  readonly messages: ReceivedMessage[]
  /** Sets the answer to the requests from now on. */
  answer(status: number, headers?: Readonly<Record<string, string>>, body?: string): void
}

/** Starts a receiver of webhooks for the tests of this file. */
export function useWebhookReceiver(): WebhookReceiver {
  const messages: ReceivedMessage[] = []
  let next = { status: 204, headers: {} as Readonly<Record<string, string>>, body: '' }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    messages.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(next.status, next.headers).end(next.body)
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    },
    messages,
    answer: (status, headers = {}, body = '') => {
      next = { status, headers, body }
    },
  }
}
