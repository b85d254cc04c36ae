import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Failure } from '../../src/errors.ts'
import { newPersonalToken, newToken } from '../../src/lib/tokens.ts'
import { type Person, useApp } from '../support/app.ts'
import { browserAt } from '../support/browser.ts'
import { usingDatabases } from '../support/databases.ts'
import { expectedLog } from '../support/expected-log.ts'
import { logLines } from '../support/log-lines.ts'
import { readable, useMailServer } from '../support/mail-server.ts'
import { signedIn } from '../support/sessions.ts'
import { limit } from '../support/organizations.ts'
import { emptyPiano } from '../support/scores.ts'
import { withSecondFactor } from '../support/second-factors.ts'

const mailServer = useMailServer()
const log = logLines()
const app = useApp(usingDatabases('sqlite'), { logLevel: 'trace' }, { logTo: log })
let otto: Person
let score: string

beforeAll(async () => {
  otto = await app.person('otto', { password: 'canary-password' })
  score = (await otto.post('/scores', { ...emptyPiano(), privacy: 'privateLink' })).body.id
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a request', () => {
  it('is logged as one line with its operation, its status and its cost', async () => {
    log.take()
    const { headers } = await otto.get('/me?onlyId=true')
    const [line, ...others] = log.take()
    expect(others).toEqual([])
    expect(line).toMatchObject({
      request: headers.get('x-request-id'),
      method: 'GET',
      url: '/v2/me?onlyId=true',
      status: 200,
      ms: expect.any(Number),
      address: '127.0.0.1',
    })
  })

  it('is logged if it is refused', async () => {
    log.take()
    await otto.get('/nothing')
    await app.anonymous.get('/me')
    expect(log.take().map(({ url, status }) => [url, status])).toEqual([
      ['/v2/nothing', 404],
      ['/v2/me', 401],
    ])
  })
})

describe('the log contains no secrets:', () => {
  it('no token, in any part of the request', async () => {
    const canary = newPersonalToken()
    await app.anonymous.get('/me', { headers: { Authorization: `Bearer ${canary}` } })
    await app.anonymous.get('/me', { headers: { Authorization: canary } })
    await app.anonymous.get(`/me?access_token=${canary}`)
    await app.anonymous.get(`/me?token=Bearer%20${canary}`)
    await app.anonymous.get(`/users/${canary}`)
    await app.anonymous.get(`/nothing/${canary}/%zz`)
    await otto.get('/me')
    const reset = newToken('passwordReset')
    await fetch(`${app.url}/auth/password/${reset}`)
    const form = {
      username: 'otto',
      password: 'canary-password',
      client_secret: canary,
      refresh_token: canary,
    }
    for (const path of ['/auth/signin', '/oauth/access_token']) {
      await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
    }
    expect(log.text()).not.toContain('canary-password')
    for (const token of [canary, reset, otto.token]) expect(log.text()).not.toContain(token.slice(-20))
  })

  it('no sharing key, with any spelling of its parameter', async () => {
    const { sharingKey } = (await otto.get(`/scores/${score}`)).body
    for (const name of ['sharingKey', 'sharing%4Bey', '%73haringKey']) {
      expect((await app.anonymous.get(`/scores/${score}?${name}=${sharingKey}`)).status).toBe(200)
      await app.anonymous.get(`/scores/${score}/revisions?a=b&${name}=${sharingKey}&c=d`)
    }
    expect((await otto.put(`/scores/${score}`, { sharingKey: 'ab'.repeat(64) })).status).toBe(200)
    await app.anonymous.get(`/nothing?sharingKey=${sharingKey}`)
    expect(log.text()).not.toContain(sharingKey)
    expect(log.text()).not.toContain('ab'.repeat(64))
    expect(log.text()).toContain('a=b')
  })

  it('no signed URL', async () => {
    const { url } = (await otto.get(`/scores/${score}/revisions/last/xml?url=true`)).body
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url.replace('/files/', '/%66iles/'))).status).toBe(200)
    expect((await fetch(`${url}x`)).status).toBe(404)
    expect(log.text()).not.toContain(url.slice(-40))
    expect(log.text()).not.toContain(url.split('/').at(-1)?.slice(0, 60))
  })

  it('no sign-in link and no invitation code', async () => {
    const organization = await app.organization()
    const ada = await app.person('ada', { organization, role: 'admin' })
    const sam = await app.person('sam', { organization })
    const { url, token } = (await ada.post(`/organizations/users/${sam.id}/signinLink`, {})).body
    const { customCode, htmlUrl } = (await ada.post('/organizations/invitations', {})).body
    const signIn = `${app.url}/auth/signin?${new URLSearchParams({ next: new URL(htmlUrl).pathname })}`
    for (const address of [htmlUrl, signIn, url, `${url}/more`, url.replace('/auth/', '/v2/auth/')])
      await fetch(address)
    await fetch(url.replace('partita_link', 'partita%5Flink'))
    const response = await fetch(url, { method: 'POST', redirect: 'manual' })
    const session = /=(\w+);/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? 'no session'
    expect(response.status).toBe(303)
    for (const secret of [token.slice(-20), customCode, session.slice(-20)])
      expect(log.text()).not.toContain(secret)
  })

  it('no password reset link', async () => {
    const reset = newToken('passwordReset')
    const address = `${app.url}/auth/password/${reset}`
    // If it is percent-encoded, the token has no recognizable prefix.
    for (const url of [address, address.replace('partita_reset', 'partita%5Freset')]) {
      await fetch(url)
      await fetch(url, { method: 'POST', body: new URLSearchParams({ password: 'canary-password' }) })
    }
    expect(log.text()).not.toContain(reset.slice(-20))
    expect(log.text()).toContain('/auth/password/[redacted]')
  })

  it('no authorization code from an identity provider', async () => {
    await fetch(`${app.url}/auth/oidc/school/callback?code=canary-code&state=canary-state`)
    expect(log.text()).not.toContain('canary-code')
    expect(log.text()).toContain('/auth/oidc/school/callback?code=[redacted]')
  })

  it('no link to verify an address or to revert its change', async () => {
    const link = newToken('emailVerification')
    for (const token of [link, link.replace('partita_email', 'partita%5Femail')]) {
      await fetch(`${app.url}/auth/email/${token}`)
      for (const path of ['signin', 'second-step']) {
        await fetch(`${app.url}/auth/${path}?${new URLSearchParams({ next: `/auth/email/${token}` })}`)
      }
    }
    expect(log.text()).not.toContain(link.slice(-20))
    expect(log.text()).toContain('/auth/email/[redacted]')
  })

  it('no password', () => {
    expect(log.text()).not.toContain('canary-password')
  })
})

describe('the log has one line and no secret of a request that ends at the signed-in page:', () => {
  const lines = logLines()
  const school = useApp(
    usingDatabases('sqlite'),
    mailServer.settings({ signUp: 'true', logLevel: 'trace' }),
    { logTo: lines },
  )
  const password = 'canary-password'

  /** Sends the form of a page, and checks what the server logs meanwhile. */
  async function submit(path: string, fields: Record<string, string>, browser = browserAt(school.url)) {
    const page = await browser.open(path)
    lines.take()
    const { origin } = new URL(school.url)
    const response = await browser.fetch(path, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, password }),
      headers: { Origin: origin },
    })
    await response.bytes()
    expect([page.status, response.status]).toEqual([200, 303])
    const logged = lines.take().filter(({ msg }) => msg !== 'job')
    expect(logged).toMatchObject([{ level: 30, msg: 'request', method: 'POST', status: 303 }])
    const cookies = [...browser.cookies.values()]
    expect(cookies.join()).toMatch(/partita_(session|signin)_/)
    const secrets = [password, ...cookies.map((value) => value.slice(-20))]
    for (const secret of secrets) expect(lines.text()).not.toContain(secret)
  }

  it('the sign-in', async () => {
    await school.person('nora', { password })
    await submit('/auth/signin', { username: 'nora', next: '/invitations/canary-code' })
    expect(lines.text()).not.toContain('canary-code')
  })

  it('the sign-in of an account with a second factor', async () => {
    const vera = await school.person('vera', { password })
    await withSecondFactor(school, vera)
    await submit('/auth/signin', { username: 'vera' })
  })

  it('the sign-up', () => submit('/auth/signup', { username: 'nina', email: 'nina@example.com' }))

  it('the reset of a password', async () => {
    await school.person('rita', { email: 'rita@example.com' })
    await browserAt(school.url).open('/auth/password', {
      method: 'POST',
      body: new URLSearchParams({ username: 'rita' }),
    })
    await school.jobsDone()
    const path = /\/auth\/password\/\w+/.exec(readable(mailServer.mails.at(-1)))?.[0] ?? ''
    await submit(path, {})
    expect(lines.text()).not.toContain(path.slice(-20))
  })

  it('joining by an invitation, with a new account and with an old one', async () => {
    const organization = await school.organization()
    await limit(school, organization, { allows_sign_up_by_code: 1 })
    const anna = await school.person('anna', { organization, role: 'accountAdmin' })
    const mona = await signedIn(school, await school.person('mona'))
    for (const browser of [browserAt(school.url), mona]) {
      const { customCode, htmlUrl } = (await anna.post('/organizations/invitations', {})).body
      await submit(new URL(htmlUrl).pathname, { username: 'zita' }, browser)
      expect(lines.text()).not.toContain(customCode)
    }
  })
})

it('an error that quotes the URL of a request is logged without its code', async () => {
  app.expectLog(/"msg":"INTERNAL_ERROR"/)
  const error = new Error('Failed at /invitations/canary-code?sharingKey=canary-key')
  vi.spyOn(app.ctx.db.read, 'selectFrom').mockImplementation(() => {
    throw error
  })
  expect((await fetch(`${app.url}/invitations/canary-code`)).status).toBe(500)
  expect(log.text()).toContain('Failed at /invitations/[redacted]?sharingKey=[redacted]')
  expect(log.text()).not.toMatch(/canary-(code|key)/)
})

describe('an internal error', () => {
  const secret = 'secret of the inside /var/lib/partita'

  it('shows only an id to the client and logs the details under this id', async () => {
    app.expectLog(/"msg":"INTERNAL_ERROR"/)
    vi.spyOn(app.ctx.blobs, 'read').mockRejectedValue(new TypeError(secret))
    log.take()
    const { status, headers, body } = await otto.get(`/scores/${score}/revisions/last/xml`)
    expect(status).toBe(500)
    expect(Object.keys(body).sort()).toEqual(['code', 'id', 'message'])
    expect(body.code).toBe('INTERNAL_ERROR')
    expect(body.id).toBe(headers.get('x-request-id'))
    expect(JSON.stringify(body)).not.toContain('secret')
    const line = log.take().find(({ level }) => level >= 50)
    expect(line).toMatchObject({ request: body.id, err: { type: 'TypeError', message: secret } })
    expect(line.err.stack).toContain('.ts')
  })

  it('of an unavailable dependency logs its cause but does not send it', async () => {
    app.expectLog(/"msg":"DATABASE_UNAVAILABLE"/)
    vi.spyOn(app.ctx.db, 'transaction').mockRejectedValue(
      new Failure('DATABASE_UNAVAILABLE', { cause: new Error(secret) }),
    )
    log.take()
    const { status, body } = await otto.put(`/scores/${score}`, { title: 'x' })
    expect([status, body.code]).toEqual([503, 'DATABASE_UNAVAILABLE'])
    expect(body.id).toMatch(/^[0-9a-f]{24}$/)
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(log.take().find(({ request, level }) => request === body.id && level >= 50)).toMatchObject({
      err: { message: secret },
    })
  })

  it('does not affect the next request', async () => {
    expect((await otto.get(`/scores/${score}/revisions/last/xml`)).status).toBe(200)
  })
})

describe('the start with an https URL', () => {
  const warned = logLines()
  const quiet = logLines()
  const https = { publicUrl: 'https://partita.example', logLevel: 'info' }
  const behindUnknownProxy = useApp(usingDatabases('sqlite'), https, { logTo: warned })
  useApp(usingDatabases('sqlite'), { ...https, trustProxy: '127.0.0.1' }, { logTo: quiet })

  it('warns if no proxy is trusted, because all clients would share one rate limit', () => {
    behindUnknownProxy.expectLog(/TRUST_PROXY is empty/)
    const warnings = (lines: typeof warned) => lines.take().filter(({ level }) => level === 40)
    expect(warnings(warned)).toMatchObject([{ msg: expect.stringContaining('TRUST_PROXY is empty') }])
    expect(warnings(quiet)).toEqual([])
    expect(log.text()).not.toContain('TRUST_PROXY')
  })
})

describe('the log of a test server', () => {
  const line = (level: number, msg: string) => `${JSON.stringify({ level, msg })}\n`

  it('fails the file if it has a warning or an error that no test has declared', () => {
    const lines = expectedLog()
    lines.write(line(30, 'a request'))
    lines.check()
    lines.write(line(40, 'a warning'))
    lines.write(line(50, 'an error'))
    expect(() => lines.check()).toThrow(/a warning[\s\S]*an error/)
    lines.expect(/a warning/, /an error/)
    lines.check()
  })

  it('fails the file if a declared line does not appear', () => {
    const lines = expectedLog()
    lines.expect(/an error/)
    expect(() => lines.check()).toThrow('No line of the log matches /an error/')
  })
})
