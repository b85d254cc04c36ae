import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import type { Browser } from '../../../../test/support/browser.ts'
import { type Client, clientOf, internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { allow, authorizationPath, tokensFor } from '../../../../test/support/oauth.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { requestWhileSessionEnds } from '../../../../test/support/request-while-session-ends.ts'

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100)])

describeEachDatabase('registerApp', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let olga: Person
  let browser: Browser
  let account: Client

  beforeAll(async () => {
    olga = await app.person('olga')
    browser = await signedIn(app, await app.person('otto'))
    account = internalClient(browser)
  })

  const register = (fields: object = {}, by = account) =>
    by.post('/apps', {
      name: 'Metronome',
      redirectUris: ['https://metronome.example/cb'],
      isPublic: false,
      ...fields,
    })

  it('registers an app with addresses and a logo, and returns the secret once', async () => {
    const redirectUris = [
      'https://metronome.example/cb',
      'com.example.metronome:/cb',
      'com.example.metronome:/cb',
    ]
    const { status, body } = await register({ redirectUris, logo: png.toString('base64') })
    const { secret, ...registered } = body
    expect([status, registered]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Metronome',
        isPublic: false,
        redirectUris: ['com.example.metronome:/cb', 'https://metronome.example/cb'],
        logo: `/auth/apps/${registered.id}/logo`,
        createdAt: new Date(clock.now()).toISOString(),
      },
    ])
    expect(secret).toMatch(/^partita_secret_\w{46}$/)
    expect((await account.get('/apps')).body).toEqual([registered])

    const client = { id: registered.id, secret, redirectUri: 'com.example.metronome:/cb' }
    const question = await browser.open(authorizationPath(client))
    expect(question.text).toContain('Metronome asks for access')
    expect(question.headers.get('content-security-policy')).toContain(
      "form-action 'self' com.example.metronome:;",
    )
    const [, src = ''] = /<img class="logo" src="([^"]+)"/.exec(question.text) ?? []
    expect(src).toBe(registered.logo)
    const logo = await fetch(app.url + src)
    expect(logo.headers.get('content-type')).toBe('image/png')
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff')
    expect(logo.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await logo.arrayBuffer()).equals(png)).toBe(true)
    const { access_token } = await tokensFor(app, olga, client)
    expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(404)

    expect((await account.delete(`/apps/${registered.id}`)).status).toBe(204)
    expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(401)
    expect((await browser.open(authorizationPath(client))).status).toBe(400)
  })

  it('gives a public app no secret, so that it must use PKCE', async () => {
    const { body } = await register({ isPublic: true })
    expect([body.isPublic, body.secret]).toEqual([true, null])
    const client = { id: body.id, secret: undefined, redirectUri: 'https://metronome.example/cb' }
    const response = new URL((await browser.open(authorizationPath(client))).url).searchParams
    expect(response.get('error')).toBe('invalid_request')
  })

  it.each<[string, object]>([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'x\0' }],
    ['redirectUris', { redirectUris: [] }],
    [
      'redirectUris',
      { redirectUris: Array.from({ length: 21 }, (_, index) => `https://x.example/${index}`) },
    ],
    ['redirectUris', { redirectUris: ['https://x.example/cb', 'javascript:alert(1)'] }],
    ['redirectUris', { redirectUris: ['data:text/html,x'] }],
    ['redirectUris', { redirectUris: ['nowhere'] }],
    ['redirectUris', { redirectUris: ['https://x.example/#top'] }],
    ['redirectUris', { redirectUris: ['https://u:p@x.example/'] }],
    ['isPublic', { isPublic: 'no' }],
    ['logo', { logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64') }],
    ['logo', { logo: 'not base64' }],
    ['logo', { logo: Buffer.concat([png, Buffer.alloc(100 * 1024)]).toString('base64') }],
  ])('refuses an invalid %s: %j', async (param, fields) => {
    const before = (await account.get('/apps')).body
    const refused = await register(fields)
    expect([refused.status, refused.body.param]).toEqual([400, param])
    expect((await account.get('/apps')).body).toEqual(before)
  })

  it('allows addresses without https if the server itself has no https', async () => {
    expect((await register({ redirectUris: ['http://10.0.0.7/cb'] })).status).toBe(201)
  })

  it('keeps the app when the account of its owner is deleted', async () => {
    const maker = await app.person('maker')
    const { id, secret } = (await register({}, internalClient(await signedIn(app, maker)))).body
    await app.ctx.transaction((tx) => tx.deleteFrom('users').where('id', '=', maker.id).execute())
    const client = { id, secret, redirectUri: 'https://metronome.example/cb' }
    expect((await allow(browser, authorizationPath(client))).get('code')).toMatch(/^partita_code_/)
  })

  it('refuses the 51st app of one user', async () => {
    const busy = internalClient(await signedIn(app, await app.person('busy')))
    for (let count = 0; count < 50; count++) await register({}, busy)
    const refused = await register({}, busy)
    expect([refused.status, refused.body.code]).toEqual([403, 'TOO_MANY_APPS'])
    expect((await busy.get('/apps')).body).toHaveLength(50)
  })

  it('registers no app if the session ends while the request is handled', async () => {
    const vera = await app.person('vera')
    const session = internalClient(await signedIn(app, vera))
    const { status } = await requestWhileSessionEnds(app, vera, () => register({ isPublic: true }, session))
    expect(status).toBe(401)
    const { read } = app.ctx.db
    expect(await read.selectFrom('apps').select('id').where('owner_id', '=', vera.id).execute()).toEqual([])
  })
})
