import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { clientOf } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { day, minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  allow,
  ask,
  authorizationPath,
  newClient,
  type Parameters,
  type TestClient,
  tokensFor,
} from '../../../test/support/oauth.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { onTwoServers } from '../../../test/support/two-servers.ts'
import { deleteAccessToken } from '../tokens/store.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'

describeEachDatabase('access tokens of apps', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person
  let client: TestClient
  beforeAll(async () => {
    otto = await app.person('otto')
    client = await newClient(app)
  })

  const offline = { access_type: 'offline', scope: 'scores collections.readonly' }
  const refresh = (token: string | undefined, more: Parameters = {}, by: TestClient = client) =>
    ask(app, 'access_token', by, { grant_type: 'refresh_token', refresh_token: token, ...more })
  const introspect = async (token: string | undefined, by: TestClient = client) =>
    (await ask(app, 'introspect', by, { token })).body
  const statusWith = async (token: string) => (await clientOf(app.url, token).get('/collections')).status

  it('are valid in /v2 for a day, with the granted scopes', async () => {
    const { access_token } = await tokensFor(app, otto, client, { scope: 'collections.readonly' })
    const holder = clientOf(app.url, access_token)
    expect((await holder.get('/collections')).status).toBe(200)
    expect((await holder.post('/collections', { title: 'x' })).body.code).toBe('INSUFFICIENT_SCOPE')
    const bare = await fetch(`${app.url}/v2/collections`, { headers: { Authorization: access_token } })
    expect(bare.status).toBe(200)
    expect((await fetch(`${app.url}/v2/collections?access_token=${access_token}`)).status).toBe(401)
    clock.forward(day - 1)
    expect(await statusWith(access_token)).toBe(200)
    clock.forward(5001)
    expect(await statusWith(access_token)).toBe(401)
    await app.jobsDone()
  })

  it('are stored only as hashes, as codes and secrets are', async () => {
    const response = await allow(await signedIn(app, otto), authorizationPath(client, offline))
    const code = response.get('code') ?? ''
    const { body } = await ask(app, 'access_token', client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
    })
    const { read } = app.ctx.db
    const tables = await Promise.all([
      read.selectFrom('apps').selectAll().execute(),
      read.selectFrom('authorizations').selectAll().execute(),
      read.selectFrom('authorization_codes').selectAll().execute(),
      read.selectFrom('refresh_tokens').selectAll().execute(),
      read.selectFrom('access_tokens').selectAll().execute(),
      read.selectFrom('sessions').selectAll().execute(),
      read.selectFrom('attempts').selectAll().execute(),
    ])
    const stored = JSON.stringify(tables)
    for (const secret of [code, client.secret ?? '', body.access_token, body.refresh_token]) {
      expect(secret.length).toBeGreaterThan(40)
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(secret.slice(-30))
    }
    expect(stored).not.toContain('127.0.0.1')
  })

  describe('a refresh token', () => {
    it('is exchanged once for new tokens', async () => {
      const first = await tokensFor(app, otto, client, offline)
      const second = await refresh(first.refresh_token)
      expect(second.body).toEqual({
        access_token: expect.any(String),
        token_type: 'bearer',
        expires_in: 86_400,
        scope: offline.scope,
        refresh_token: expect.any(String),
        issued_at: new Date(clock.now()).toISOString(),
        user: otto.id,
      })
      const third = await refresh(second.body.refresh_token)
      expect(third.status).toBe(200)
      for (const { access_token } of [first, second.body, third.body])
        expect(await statusWith(access_token)).toBe(200)
    })

    it('that is used twice revokes its whole family, and no other', async () => {
      const other = await tokensFor(app, otto, client, offline)
      const first = await tokensFor(app, otto, client, offline)
      const second = await refresh(first.refresh_token)
      expect(await statusWith(second.body.access_token)).toBe(200)
      expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
      expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
      for (const { access_token } of [first, second.body]) expect(await statusWith(access_token)).toBe(401)
      expect(await statusWith(other.access_token)).toBe(200)
      expect((await refresh(other.refresh_token)).status).toBe(200)
    })

    it('creates at most one family in concurrent requests', async () => {
      const { refresh_token } = await tokensFor(app, otto, client, offline)
      const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(refresh_token)))
      const [winner, ...others] = answers.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      expect((await refresh(winner?.body.refresh_token)).body.error).toBe('invalid_grant')
    })

    it('returns an access token with fewer scopes on request, and never with more', async () => {
      const { refresh_token } = await tokensFor(app, otto, client, offline)
      const fewer = await refresh(refresh_token, { scope: 'collections.readonly' })
      expect(fewer.body.scope).toBe('collections.readonly')
      for (const scope of ['scores edu.classes', 'everything']) {
        expect((await refresh(fewer.body.refresh_token, { scope })).body.error).toBe('invalid_scope')
      }
      expect((await refresh(fewer.body.refresh_token)).body.scope).toBe(offline.scope)
    })

    it('can be used only by its app, and an attempt of another app does not revoke it', async () => {
      const { refresh_token } = await tokensFor(app, otto, client, offline)
      const other = await newClient(app)
      expect((await refresh(refresh_token, {}, other)).body.error).toBe('invalid_grant')
      expect((await refresh(refresh_token)).status).toBe(200)
    })

    it('is issued only on request', async () => {
      expect((await tokensFor(app, otto, client)).refresh_token).toBeUndefined()
      expect((await tokensFor(app, otto, client, { access_type: 'online' })).refresh_token).toBeUndefined()
    })

    it('expires after half a year without use, and is deleted', async () => {
      const { refresh_token } = await tokensFor(app, otto, client, offline)
      clock.forward(179 * day)
      const renewed = await refresh(refresh_token)
      expect(renewed.status).toBe(200)
      await app.jobsDone()
      clock.forward(180 * day)
      expect((await refresh(renewed.body.refresh_token)).body.error).toBe('invalid_grant')
      await app.jobsDone()
      const authorizations = await app.ctx.db.read.selectFrom('authorizations').select('id').execute()
      expect(authorizations).toEqual([])
    })

    it('is not accepted in /v2', async () => {
      const { refresh_token } = await tokensFor(app, otto, client, offline)
      expect(await statusWith(refresh_token ?? '')).toBe(401)
    })
  })

  describe('are revoked', () => {
    const revoke = (token: string | undefined, by: TestClient = client) =>
      ask(app, 'invalidate_token', by, { token })

    it('with the access token: immediately, and only this token', async () => {
      const { access_token, refresh_token } = await tokensFor(app, otto, client, offline)
      expect(await statusWith(access_token)).toBe(200)
      const { status, body } = await revoke(access_token)
      expect([status, body]).toEqual([200, undefined])
      expect(await statusWith(access_token)).toBe(401)
      expect((await refresh(refresh_token)).status).toBe(200)
    })

    it('with the refresh token: the whole family', async () => {
      const { access_token, refresh_token } = await tokensFor(app, otto, client, offline)
      expect(await statusWith(access_token)).toBe(200)
      expect((await revoke(refresh_token)).status).toBe(200)
      expect(await statusWith(access_token)).toBe(401)
      expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    })

    it('only by their app; an unknown token is no error', async () => {
      const { access_token } = await tokensFor(app, otto, client, offline)
      const other = await newClient(app)
      for (const token of [access_token, otto.token, 'nonsense'])
        expect((await revoke(token, other)).status).toBe(200)
      expect(await statusWith(access_token)).toBe(200)
      expect((await otto.get('/me')).status).toBe(200)
      expect((await revoke(undefined)).body.error).toBe('invalid_request')
    })
  })

  it('are introspected only by their app', async () => {
    const { access_token, refresh_token } = await tokensFor(app, otto, client, offline)
    const now = Math.floor(clock.now() / 1000)
    expect(await introspect(access_token)).toEqual({
      active: true,
      client_id: client.id,
      iss: app.url,
      token_type: 'bearer',
      sub: otto.id,
      scope: offline.scope,
      iat: now,
      exp: now + 86_400,
    })
    expect(await introspect(refresh_token)).toMatchObject({ active: true, scope: offline.scope })
    const other = await newClient(app)
    for (const token of [access_token, refresh_token])
      expect(await introspect(token, other)).toEqual({ active: false })
    for (const token of [otto.token, 'nonsense']) expect(await introspect(token)).toEqual({ active: false })
    await refresh(refresh_token)
    expect(await introspect(refresh_token)).toEqual({ active: false })
    const open = await newClient(app, { isPublic: true })
    expect((await ask(app, 'introspect', open, { token: access_token })).status).toBe(401)
  })

  describe('an app', () => {
    const withBasic = (header: string, fields: Record<string, string> = {}) =>
      fetch(`${app.url}/oauth/access_token`, {
        method: 'POST',
        headers: { Authorization: header },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', ...fields }),
      })
    const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

    it('with a secret is refused without it or with a wrong one', async () => {
      const { id, secret = '' } = client
      const wrong = [
        { ...client, secret: undefined },
        { ...client, secret: `${secret}x` },
      ]
      for (const impostor of [...wrong, { ...client, id: '0123456789abcdef01234567' }]) {
        const { status, body } = await refresh('x', {}, impostor)
        expect([status, body.error]).toEqual([401, 'invalid_client'])
      }
      const refused = await withBasic(basic(id, 'wrong'))
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Partita"',
      ])
      expect((await withBasic('Bearer x')).status).toBe(401)
      const accepted = await withBasic(basic(id, secret))
      expect([accepted.status, await accepted.json()]).toMatchObject([400, { error: 'invalid_grant' }])
      expect((await withBasic(basic(id, secret), { client_secret: secret })).status).toBe(400)
    })

    it('without a secret is refused with one', async () => {
      const open = await newClient(app, { isPublic: true })
      expect((await refresh('x', {}, { ...open, secret: 'guess' })).body.error).toBe('invalid_client')
      expect((await refresh('x', {}, open)).body.error).toBe('invalid_grant')
    })

    it('is refused for 15 minutes after ten wrong secrets, except with the correct one', async () => {
      const targetApp = await newClient(app)
      const impostor = { ...targetApp, secret: 'wrong' }
      for (let n = 0; n < 10; n++) expect((await refresh('x', {}, impostor)).status).toBe(401)
      expect((await refresh('x', {}, impostor)).status).toBe(429)
      for (const other of [targetApp, client]) {
        expect((await refresh('x', {}, other)).body.error).toBe('invalid_grant')
      }
      clock.forward(15 * minute)
      expect((await refresh('x', {}, impostor)).body.error).toBe('invalid_client')
    })

    it('that is public is refused with a secret, and the attempt is not counted', async () => {
      const open = await newClient(app, { isPublic: true })
      const countRows = async () =>
        (await app.ctx.db.read.selectFrom('attempts').selectAll().execute()).length
      clock.forward(15 * minute)
      await app.jobsDone()
      const before = await countRows()
      for (let n = 0; n < 12; n++) {
        expect((await refresh('x', {}, { ...open, secret: 'guess' })).body.error).toBe('invalid_client')
      }
      expect(await countRows()).toBe(before)
      expect((await refresh('x', {}, open)).body.error).toBe('invalid_grant')
    })

    it.each<[string, Parameters]>([
      ['unsupported_grant_type', { grant_type: 'password' }],
      ['unsupported_grant_type', { grant_type: 'client_credentials' }],
      ['invalid_request', { grant_type: undefined }],
      ['invalid_request', { grant_type: 'authorization_code' }],
      ['invalid_request', { refresh_token: undefined }],
    ])('with an invalid request gets %s', async (error, parameters) => {
      const { status, body } = await refresh('x', parameters)
      expect([status, body.error]).toEqual([400, error])
    })

    it('must send a form without repeated parameters and without a query', async () => {
      const url = `${app.url}/oauth/access_token`
      const json = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }
      expect(await (await fetch(url, json)).json()).toMatchObject({ error: 'invalid_request' })
      const inAddress = await fetch(`${url}?client_id=${client.id}&client_secret=${client.secret}`, {
        method: 'POST',
      })
      expect(inAddress.status).toBe(401)
      const body = new URLSearchParams([
        ...Object.entries({ client_id: client.id }),
        ['client_id', client.id],
      ])
      expect(await (await fetch(url, { method: 'POST', body })).json()).toMatchObject({
        error: 'invalid_request',
      })
      const nul = await fetch(url, { method: 'POST', body: new URLSearchParams({ client_id: 'a\0b' }) })
      expect(nul.status).toBe(400)
    })
  })

  it('are revoked with a password change and with the command for tokens', async () => {
    const { access_token, refresh_token } = await tokensFor(app, otto, client, offline)
    const [row] = await app.ctx.db.read
      .selectFrom('access_tokens')
      .selectAll()
      .where('app_id', '=', client.id)
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    await app.ctx.transaction((tx) => deleteAccessToken(tx, row?.id ?? ''))
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    clock.forward(5000)
    expect(await statusWith(access_token)).toBe(401)
    const next = await tokensFor(app, otto, client, offline)
    await app.ctx.transaction((tx) => revokeAllSignIns(app.ctx, tx, otto.id))
    expect((await refresh(next.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('are described by the metadata of the server', async () => {
    const response = await fetch(`${app.url}/.well-known/oauth-authorization-server`)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({
      issuer: app.url,
      authorization_endpoint: `${app.url}/auth/oauth`,
      token_endpoint: `${app.url}/oauth/access_token`,
      revocation_endpoint: `${app.url}/oauth/invalidate_token`,
      introspection_endpoint: `${app.url}/oauth/introspect`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    })
  })
})

describeEachDatabase('access tokens of apps on two servers', (databases) => {
  it('are revoked on both servers', async () => {
    await onTwoServers(databases, async ({ app, vera, onOther: there }) => {
      const client = await newClient(app)
      const { access_token: token } = await tokensFor(app, vera, client)
      await ask(app, 'invalidate_token', client, { token })
      expect((await there({ ...vera, token }).get('/collections')).status).toBe(401)
    })
  })
})

describeEachDatabase('with a path in the public URL', (databases) => {
  const app = useApp(databases, { publicUrl: 'https://partita.example/music', trustProxy: '127.0.0.1' })

  it('the metadata are at the path of RFC 8414 and never depend on the Host header', async () => {
    const serverUrl = `http://127.0.0.1:${app.ctx.config.port}`
    for (const path of ['', '/music']) {
      const response = await fetch(`${serverUrl}/.well-known/oauth-authorization-server${path}`)
      expect(await response.json()).toMatchObject({
        issuer: 'https://partita.example/music',
        token_endpoint: 'https://partita.example/music/oauth/access_token',
      })
    }
  })
})
