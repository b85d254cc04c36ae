import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { userHandleOf } from '../../src/auth/passkeys/ceremonies.ts'
import { insertPasskey } from '../../src/auth/passkeys/passkeys.store.ts'
import { replaceRecoveryCodes } from '../../src/auth/second-factor/second-factors.store.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '../../src/contract/account-security.ts'
import type { Person, TestApp } from './app.ts'
import { type Browser, browserAt } from './browser.ts'
import { internalClient, type Reply } from './client.ts'
import { cbor } from './cbor.ts'
import { password } from './sessions.ts'

/** What a test can make wrong in an answer of an authenticator or browser. */
export interface Faults {
  origin?: string
  rpId?: string
  challenge?: string
  /** The counter of the answer. Without it, each answer increments the counter. */
  counter?: number
  userVerified?: boolean
  userPresent?: boolean
  userHandle?: string | undefined
  isSynced?: boolean
  type?: string
  /** The certificates of a `packed` attestation. */
  x5c?: readonly Uint8Array[]
}

/** A passkey in an authenticator made of software (ES256). */
export interface SoftPasskey {
  readonly id: string
  /** The COSE key. */
  readonly publicKey: Buffer
  register(options: { challenge: string; user: { id: string } }, faults?: Faults): PasskeyRegistration
  sign(options: { challenge: string }, faults?: Faults): PasskeyAssertion
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest()

/** @param url the address of the server @param user the account, if the passkey is not registered over HTTP */
export function softPasskey({ url }: { url: string }, user?: string): SoftPasskey {
  const id = randomBytes(16)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => Buffer.from(text, 'base64url')
  const key = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ])
  const coseKey = cbor(key)
  let counter = 0
  let userHandle = user && userHandleOf(user)

  function authenticatorData(faults: Faults, attested = Buffer.alloc(0)): Buffer {
    const { rpId = new URL(url).hostname, userPresent = true, userVerified = true, isSynced = false } = faults
    counter = faults.counter ?? counter + 1
    // The flags of WebAuthn Level 2, section 6.1; a synced passkey is one that can be.
    const flags =
      (userPresent ? 1 : 0) |
      (userVerified ? 4 : 0) |
      (isSynced ? 8 | 16 : 0) |
      (attested.length > 0 ? 64 : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, attested])
  }
  const clientData = (type: string, challenge: string, { origin = new URL(url).origin, ...faults }: Faults) =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    )

  return {
    id: base64url(id),
    publicKey: coseKey,
    register({ challenge, user }, faults = {}) {
      userHandle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authData = authenticatorData(faults, Buffer.concat([Buffer.alloc(16), length, id, coseKey]))
      const clientDataJSON = clientData('webauthn.create', challenge, faults)
      const { x5c } = faults
      const signed = Buffer.concat([authData, sha256(clientDataJSON)])
      const statement = new Map<string, unknown>(
        x5c
          ? [
              ['alg', -7],
              ['sig', sign('sha256', signed, privateKey)],
              ['x5c', x5c],
            ]
          : [],
      )
      const attestation = new Map<string, unknown>([
        ['fmt', x5c ? 'packed' : 'none'],
        ['attStmt', statement],
        ['authData', authData],
      ])
      return {
        id: base64url(id),
        response: {
          clientDataJSON: base64url(clientDataJSON),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      }
    },
    sign({ challenge }, faults = {}) {
      const data = authenticatorData(faults)
      const clientDataJSON = clientData('webauthn.get', challenge, faults)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey)
      const handle = 'userHandle' in faults ? faults.userHandle : userHandle
      return {
        id: base64url(id),
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(handle !== undefined && { userHandle: handle }),
        },
      }
    },
  }
}

/** Gives a user a passkey and recovery codes, as if the user had added it before. */
export async function withPasskey(
  { ctx, url }: TestApp,
  { id: user }: Pick<Person, 'id'>,
  name = 'Phone',
): Promise<SoftPasskey & { readonly rowId: string; readonly recoveryCodes: readonly string[] }> {
  const passkey = softPasskey({ url }, user)
  const rowId = ctx.newId()
  const recoveryCodes = await ctx.transaction(async (tx) => {
    await insertPasskey(tx, {
      id: rowId,
      user_id: user,
      credential_id: passkey.id,
      public_key: passkey.publicKey,
      counter: 0,
      name,
      transports: '["internal"]',
      is_synced: 0,
      created_at: ctx.clock.now(),
      last_used_at: null,
    })
    return replaceRecoveryCodes(tx, user)
  })
  return { ...passkey, rowId, recoveryCodes }
}

/** Adds a new passkey to the account of a signed-in browser. Returns it with the reply of `addPasskey`. */
export async function addPasskey(
  { url }: TestApp,
  browser: Browser,
  { proof = { password }, faults = {} }: { proof?: object; faults?: Faults } = {},
): Promise<{ passkey: SoftPasskey; reply: Reply }> {
  const account = internalClient(browser)
  const started = await account.post('/security/passkeys/start', proof)
  if (started.status !== 200) throw new Error(JSON.stringify(started.body))
  const passkey = softPasskey({ url })
  const credential = passkey.register(started.body, faults)
  return { passkey, reply: await account.post('/security/passkeys', { name: 'Phone', credential }) }
}

/** Returns the options of a passkey in a step of the sign-in. */
export async function challengeFor(
  browser: Browser,
  step: 'sign-in' | 'second-step' = 'sign-in',
): Promise<{ challenge: string; [name: string]: unknown }> {
  const body = new URLSearchParams({ step })
  const response = await browser.fetch('/auth/passkey/challenge', { method: 'POST', body })
  if (response.status !== 200) throw new Error(`${response.status}`)
  return (await response.json()) as { challenge: string }
}

/** Sends a signature to a step of the sign-in. Returns the status; 200 if it succeeds. */
export async function sendAssertion(
  browser: Browser,
  assertion: PasskeyAssertion,
  step: 'sign-in' | 'second-step' = 'sign-in',
): Promise<number> {
  const body = new URLSearchParams({ credential: JSON.stringify(assertion), next: '/healthz' })
  const path = step === 'sign-in' ? '/auth/passkey' : '/auth/second-step'
  return (await browser.open(path, { method: 'POST', body })).status
}

/** Signs in with a passkey alone. Returns the status and the browser. */
export async function signInByPasskey(
  { url }: TestApp,
  passkey: SoftPasskey,
  faults: Faults = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; browser: Browser }> {
  const browser = browserAt(url, headers)
  const assertion = passkey.sign(await challengeFor(browser), faults)
  return { status: await sendAssertion(browser, assertion), browser }
}
