import { createHmac } from 'node:crypto'
import { beforeEach } from 'vitest'
import { type Client, internalClient } from './client.ts'
import { type Person, type TestApp, useApp } from './app.ts'
import { type TestClock, testClock } from './clock.ts'
import type { TestDatabases } from './databases.ts'
import { useMailServer } from './mail-server.ts'
import { emptyPiano } from './scores.ts'
import { signedIn } from './sessions.ts'
import { type ReceivedMessage, useWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

/** Whether a message has a signature with a secret, as Standard Webhooks defines it. */
export const isSignedBy = ({ headers, body }: ReceivedMessage, secret: string): boolean => {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}

/** A server with a webhook of a new account before each test. */
export interface WebhookTest {
  readonly app: TestApp
  readonly clock: TestClock
  readonly receiver: WebhookReceiver
  readonly person: Person
  /** The pages of the account. */
  readonly own: Client
  readonly webhook: { readonly id: string; readonly secret: string }
  /** The mails to the account. */
  mails(): readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  deliveries(): Promise<any[]>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  state(): Promise<any>
  /** Creates a score, which is an event, and waits until it was sent. */
  newScore(): Promise<void>
}

export function useWebhook(databases: TestDatabases): WebhookTest {
  const clock = testClock()
  const mailServer = useMailServer()
  const receiver = useWebhookReceiver()
  const app = useApp(databases, mailServer.settings({ outgoingAllow: '127.0.0.1' }), { clock })
  let count = 0
  let address: string
  let person: Person
  let own: Client
  let webhook: WebhookTest['webhook']

  beforeEach(async () => {
    count += 1
    address = `olga${count}@mail.example`
    person = await app.person(`olga${count}`, { email: address })
    own = internalClient(await signedIn(app, person))
    receiver.answer(204)
    receiver.messages.length = 0
    webhook = (await own.post('/webhooks', { url: receiver.url, types: [], isOfOrganization: false })).body
  })

  return {
    app,
    clock,
    receiver,
    get person() {
      return person
    },
    get own() {
      return own
    },
    get webhook() {
      return webhook
    },
    mails: () => mailServer.mails.filter((mail) => mail.includes(address)),
    deliveries: async () => (await own.get(`/webhooks/${webhook.id}/deliveries`)).body.deliveries,
    state: async () => (await own.get('/webhooks')).body[0],
    async newScore() {
      await person.post('/scores', emptyPiano())
      await app.jobsDone()
    },
  }
}
