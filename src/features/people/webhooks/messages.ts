import { createHmac, randomBytes } from 'node:crypto'

/** A message as Standard Webhooks 1.0 defines it (https://github.com/standard-webhooks/standard-webhooks). */
export interface Message {
  /** The same in every attempt, so that the receiver can tell a repetition. */
  readonly id: string
  /** Milliseconds since 1970, of the attempt. */
  readonly at: number
  readonly body: string
}

const secretPrefix = 'whsec_'
const secretLength = 32

export const newSecret = (): Uint8Array => randomBytes(secretLength)

/** Returns a secret in the form that receivers enter. */
export const textOfSecret = (secret: Uint8Array): string =>
  secretPrefix + Buffer.from(secret).toString('base64')

/** @param secrets each of them signs, so that receivers can change from one to the next */
export function headersOf({ id, at, body }: Message, secrets: readonly Uint8Array[]): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return {
    'content-type': 'application/json',
    'user-agent': 'Partita',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
