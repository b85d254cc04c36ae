import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { type Client, clientOf, internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { day } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { requestWhileSessionEnds } from '../../../test/support/request-while-session-ends.ts'

describeEachDatabase('createPersonalToken', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let client: Client

  beforeAll(async () => {
    client = internalClient(await signedIn(app, await app.person('otto')))
  })

  it('returns the token once, with the given scopes and expiry', async () => {
    const request = {
      name: ' My <script> ',
      scopes: ['collections.readonly', 'collections.readonly'],
      days: 30,
    }
    const { status, body } = await client.post('/tokens', request)
    const { token, ...created } = body
    expect([status, created]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'My <script>',
        scopes: ['collections.readonly'],
        createdAt: new Date(clock.now()).toISOString(),
        expiresAt: new Date(clock.now() + 30 * day).toISOString(),
        lastUsedAt: null,
      },
    ])
    expect(token).toMatch(/^partita_pat_/)
    const byToken = clientOf(app.url, token)
    expect((await byToken.get('/collections')).status).toBe(200)
    expect((await byToken.post('/collections', { title: 'x' })).status).toBe(403)
    const listed = await client.get('/tokens')
    expect(listed.body).toContainEqual({ ...created, lastUsedAt: null })
    expect(JSON.stringify(listed.body)).not.toContain('partita_pat_')

    expect((await client.delete(`/tokens/${created.id}`)).status).toBe(204)
    expect((await byToken.get('/collections')).status).toBe(401)
    const again = await client.delete(`/tokens/${created.id}`)
    expect([again.status, again.body.code]).toEqual([404, 'TOKEN_NOT_FOUND'])
  })

  it.each<[string, object]>([
    ['name', { name: ' ', scopes: ['scores'] }],
    ['name', { name: 'x'.repeat(101), scopes: ['scores'] }],
    ['name', { name: 'x\0', scopes: ['scores'] }],
    ['name', { scopes: ['scores'] }],
    ['scopes', { name: 'x' }],
    ['scopes', { name: 'x', scopes: [] }],
    ['scopes.0', { name: 'x', scopes: ['everything'] }],
    ['days', { name: 'x', scopes: ['scores'], days: 31 }],
    ['days', { name: 'x', scopes: ['scores'], days: -1 }],
  ])('refuses an invalid %s: %j', async (param, body) => {
    const before = (await client.get('/tokens')).body
    const refused = await client.post('/tokens', body)
    expect([refused.status, refused.body.param]).toEqual([400, param])
    expect((await client.get('/tokens')).body).toEqual(before)
  })

  it('creates no token if the session ends while the request is handled', async () => {
    const vera = await app.person('vera')
    const session = internalClient(await signedIn(app, vera))
    const create = () => session.post('/tokens', { name: 'x', scopes: ['scores'] })
    const { status, body } = await requestWhileSessionEnds(app, vera, create)
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    const { read } = app.ctx.db
    expect(
      await read.selectFrom('access_tokens').select('id').where('user_id', '=', vera.id).execute(),
    ).toEqual([])
  })

  it('allows 100 personal tokens per account, not counting expired ones', async () => {
    const sam = await app.person('sam')
    let client = internalClient(await signedIn(app, sam))
    const createToken = async (days?: number) =>
      client.post('/tokens', { name: 'Another', scopes: ['scores'], days })
    expect((await createToken(30)).status).toBe(201)
    // With the token that `app.person` has created, there are 99.
    for (let n = 0; n < 97; n++) await app.withScopes(sam, 'scores')
    const replies = await Promise.all([createToken(), createToken(), createToken()])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 403, 403])
    expect(replies.find(({ status }) => status === 403)?.body.code).toBe('TOO_MANY_TOKENS')
    clock.forward(30 * day)
    client = internalClient(await signedIn(app, sam))
    expect((await createToken()).status).toBe(201)
    expect((await createToken()).status).toBe(403)
    const tokens = app.ctx.db.read.selectFrom('access_tokens').select('id').where('user_id', '=', sam.id)
    expect(await tokens.execute()).toHaveLength(100)
  })
})
