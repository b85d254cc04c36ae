import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { clientId, clientSecret } from './openid-provider.ts'
import { freePort } from './program.ts'

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
/** Keys are created once, because generating one is slow. */
const [ownKey, otherKey] = [newKey(), newKey()]

/** Replacements for parts of the provider's responses. Parts without a replacement are valid. */
export interface Manipulation {
  metadata?: object
  header?: object
  claims?: Readonly<Record<string, unknown>>
  signedWith?: 'nothing' | 'another key' | 'the client secret'
  /** Replaces the whole response of the token endpoint. */
  tokenResponse?: { status: number; headers?: Record<string, string>; body: string }
  userinfo?: object
}

/** An OpenID provider whose responses a test can manipulate. */
export interface HostileProvider {
  readonly issuer: string
  manipulation: Manipulation
  /** The nonce of the next ID token. */
  nonce: string
  /** The paths of the received requests, in order. */
  readonly requests: string[]
  close(): Promise<void>
}

/** @param claims the valid claims about the user, in the ID token and from userinfo */
export async function startHostileProvider(claims: object): Promise<HostileProvider> {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`

  function idToken({ header, claims: manipulatedClaims, signedWith }: Manipulation): string {
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: provider.nonce,
      ...claims,
      ...manipulatedClaims,
    }
    const alg = signedWith === 'nothing' ? 'none' : signedWith === 'the client secret' ? 'HS256' : 'RS256'
    const encoded = [{ alg, kid: 'one', ...header }, payload]
      .map((part) => base64url(JSON.stringify(part)))
      .join('.')
    return `${encoded}.${signatureOf(encoded, signedWith)}`
  }

  const responses: Record<string, () => { status?: number; headers?: Record<string, string>; body: string }> =
    {
      '/.well-known/openid-configuration': () =>
        json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
          ...provider.manipulation.metadata,
        }),
      '/jwks': () => json({ keys: [{ ...publicKeyOf(ownKey), kid: 'one', use: 'sig', alg: 'RS256' }] }),
      '/token': () =>
        provider.manipulation.tokenResponse ??
        json({ access_token: 'a', token_type: 'Bearer', id_token: idToken(provider.manipulation) }),
      '/userinfo': () => json({ ...claims, ...provider.manipulation.userinfo }),
    }
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    provider.requests.push(path)
    const { status = 200, headers = {}, body } = responses[path]?.() ?? { status: 404, body: '' }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const provider: HostileProvider = {
    issuer,
    manipulation: {},
    nonce: '',
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return provider
}

const json = (value: object) => ({ body: JSON.stringify(value) })
const base64url = (text: string) => Buffer.from(text).toString('base64url')

function publicKeyOf(key: KeyObject) {
  const { kty, n, e } = key.export({ format: 'jwk' })
  return { kty, n, e }
}

function signatureOf(text: string, signedWith: Manipulation['signedWith']): string {
  if (signedWith === 'nothing') return ''
  if (signedWith === 'the client secret')
    return createHmac('sha256', clientSecret).update(text).digest('base64url')
  return sign('sha256', Buffer.from(text), signedWith === 'another key' ? otherKey : ownKey).toString(
    'base64url',
  )
}
