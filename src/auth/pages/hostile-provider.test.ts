import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { browserAt } from '../../../test/support/browser.ts'
import { usingDatabases } from '../../../test/support/databases.ts'
import {
  type HostileProvider,
  startHostileProvider,
  type Manipulation,
} from '../../../test/support/hostile-provider.ts'
import { addProvider } from '../../../test/support/openid-provider.ts'

const app = useApp(usingDatabases('sqlite'))
let hostile: HostileProvider
let other: HostileProvider
let organization: string
let n = 0

beforeAll(async () => {
  const claims = { sub: 'subject', email: 'sam@school.example', email_verified: true, given_name: 'Sam' }
  hostile = await startHostileProvider(claims)
  other = await startHostileProvider(claims)
  organization = await app.organization()
  await app.person('sam', { organization, email: 'sam@school.example' })
})
beforeEach(() => {
  hostile.manipulation = {}
  hostile.requests.length = 0
  other.requests.length = 0
})
afterAll(() => Promise.all([hostile?.close(), other?.close()]))

/**
 * Returns the page after a sign-in with the hostile provider. Each call uses a new provider name, so that
 * nothing is cached.
 */
async function signIn(manipulation: Manipulation, rules: object = {}) {
  hostile.manipulation = manipulation
  const name = `hostile-${++n}`
  await addProvider(app, { name, organization, issuer: hostile.issuer, createsAccounts: true, ...rules })
  const browser = browserAt(app.url)
  const redirect = await browser.open(`/auth/oidc/${name}?next=/healthz`)
  if (redirect.status !== 303) return { ...redirect, isIn: false }
  const request = new URL(redirect.url).searchParams
  hostile.nonce = request.get('nonce') ?? ''
  const response = new URLSearchParams({ code: 'code', state: request.get('state') ?? '' })
  const page = await browser.open(`/auth/oidc/${name}/callback?${response}`)
  return { ...page, isIn: browser.cookies.has('partita_session') }
}

it('a provider with valid responses is accepted', async () => {
  const { status, isIn } = await signIn({})
  expect([status, isIn]).toEqual([200, true])
  expect((await signIn({ claims: { aud: ['partita'], exp: Date.now() / 1000 - 20 } })).isIn).toBe(true)
})

const hourAgo = Math.floor(Date.now() / 1000) - 3600
const manipulations: [string, Manipulation][] = [
  ['for another audience', { claims: { aud: 'another' } }],
  ['for several audiences, and another of them', { claims: { aud: ['partita', 'another'], azp: 'another' } }],
  ['of another issuer', { claims: { iss: 'https://accounts.google.com' } }],
  ['that has expired', { claims: { iat: hourAgo - 300, exp: hourAgo } }],
  [
    'that is issued in the future',
    { claims: { iat: hourAgo + 7200, nbf: hourAgo + 7200, exp: hourAgo + 9000 } },
  ],
  ['without an expiry', { claims: { exp: undefined } }],
  ['with another nonce', { claims: { nonce: 'another' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['with an empty subject', { claims: { sub: '' } }],
  ['with a subject with a NUL character', { claims: { sub: 'a\u0000b' } }],
  ['with a subject that is not a string', { claims: { sub: 7 } }],
  ['that is not signed', { signedWith: 'nothing' }],
  ['that is unsigned with alg none', { header: { alg: 'none' } }],
  ['that is signed with another key', { signedWith: 'another key' }],
  [
    'that is signed with another key that its kid names',
    { signedWith: 'another key', header: { kid: 'two' } },
  ],
  ['that is signed with the secret of this server', { signedWith: 'the client secret' }],
  ['that is missing', { tokenResponse: { status: 200, body: '{"access_token":"a","token_type":"Bearer"}' } }],
  [
    'that is not a JWT',
    { tokenResponse: { status: 200, body: '{"access_token":"a","token_type":"Bearer","id_token":"x.y.z"}' } },
  ],
  ['in a response that is not JSON', { tokenResponse: { status: 200, body: '<html>' } }],
  ['in a response that is too long', { tokenResponse: { status: 200, body: `"${'x'.repeat(300_000)}"` } }],
  [
    'whose subject differs from that of userinfo',
    { claims: { email: undefined }, userinfo: { sub: 'another' } },
  ],
]
it.each(manipulations)('an ID token %s is refused', async (_what, manipulation) => {
  app.expectLog(/"sign-in with a provider"/)
  const { status, isIn, text } = await signIn(manipulation)
  expect([status, isIn]).toEqual([502, false])
  expect(text).toMatch(/could not be verified|is not responding/)
})

it('email_verified of one address is not applied to another', async () => {
  const claims = {
    sub: 'other subject',
    email: 'sam@school.example',
    email_verified: undefined,
    given_name: undefined,
  }
  const userinfo = { sub: 'other subject', email: 'x@school.example', email_verified: true }
  const { status, isIn } = await signIn({ claims, userinfo }, { createsAccounts: false })
  expect([status, isIn]).toEqual([403, false])
})

it.each([
  ['another issuer', () => ({ issuer: other.issuer })],
  ['every tenant', () => ({ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' })],
  ['a script URL as authorization endpoint', () => ({ authorization_endpoint: 'javascript:alert(1)' })],
])('metadata of %s are refused', async (_what, metadata) => {
  app.expectLog(/"sign-in with a provider"/)
  const { status, isIn } = await signIn({ metadata: metadata() })
  expect([status, isIn]).toEqual([502, false])
})

it('the client does not follow a redirect with a code', async () => {
  app.expectLog(/"sign-in with a provider"/)
  const tokenResponse = { status: 307, headers: { Location: `${other.issuer}/token` }, body: '' }
  expect((await signIn({ tokenResponse })).isIn).toBe(false)
  expect(other.requests).toEqual([])
})

it('metadata cannot lead to other private hosts or to unencrypted URLs', async () => {
  app.expectLog(/"sign-in with a provider"/)
  const port = new URL(other.issuer).port
  for (const host of [`http://localhost:${port}`, `http://[::1]:${port}`, `https://10.0.0.1:${port}`]) {
    expect((await signIn({ metadata: { token_endpoint: `${host}/token` } })).isIn).toBe(false)
  }
  expect(other.requests).toEqual([])
})

it('a provider at a private address is not requested unless its rules permit it', async () => {
  app.expectLog(/"sign-in with a provider"/)
  const { status, isIn } = await signIn({}, { isInner: false })
  expect([status, isIn]).toEqual([502, false])
  expect(hostile.requests).toEqual([])
})
