import { beforeAll, expect, it } from 'vitest'
import { type AccountClient, accountIn } from '../../test/support/account.ts'
import { type Person, useApp } from '../../test/support/app.ts'
import { clientOf } from '../../test/support/client.ts'
import { day, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { signedIn } from '../../test/support/oauth.ts'
import { allScopes } from '../contract/scopes.ts'
import { signedOutMeanwhile } from '../../test/support/signed-out-meanwhile.ts'

describeEachDatabase('of personal tokens', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('somebody has a hundred at most; those that have run out do not count', async () => {
    const sam = await app.person('sam')
    let account = accountIn(await signedIn(app, sam))
    const make = async (days?: number) => account.post('/tokens', { name: 'Another', scopes: ['scores'], days })
    expect((await make(30)).status).toBe(201)
    for (let n = 0; n < 97; n++) await app.withScopes(sam, 'scores')
    const answers = await Promise.all([make(), make(), make()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403])
    expect(answers.find(({ status }) => status === 403)?.body.code).toBe('TOO_MANY_TOKENS')
    clock.forward(30 * day)
    account = accountIn(await signedIn(app, sam))
    expect((await make()).status).toBe(201)
    expect((await make()).status).toBe(403)
    const kept = app.ctx.db.read.selectFrom('access_tokens').select('id').where('user_id', '=', sam.id)
    expect(await kept.execute()).toHaveLength(100)
  })
})

describeEachDatabase('personal tokens', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let olga: Person
  let account: AccountClient

  beforeAll(async () => {
    const otto = await app.person('otto')
    olga = await app.person('olga')
    account = accountIn(await signedIn(app, otto))
  })

  it('one is made with scopes and an end, shown once, and ended', async () => {
    const asked = { name: ' My <script> ', scopes: ['collections.readonly', 'collections.readonly'], days: 30 }
    const { status, body } = await account.post('/tokens', asked)
    const { token, ...made } = body
    expect([status, made]).toEqual([
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
    const holder = clientOf(app.url, token)
    expect((await holder.get('/collections')).status).toBe(200)
    expect((await holder.post('/collections', { title: 'x' })).status).toBe(403)
    const listed = await account.get('/tokens')
    expect(listed.body).toContainEqual({ ...made, lastUsedAt: null })
    expect(JSON.stringify(listed.body)).not.toContain('partita_pat_')

    expect((await account.delete(`/tokens/${made.id}`)).status).toBe(204)
    expect((await holder.get('/collections')).status).toBe(401)
    const again = await account.delete(`/tokens/${made.id}`)
    expect([again.status, again.body.code]).toEqual([404, 'TOKEN_NOT_FOUND'])
  })

  it('one that is made for ever is not over, and one whose days are over is not listed', async () => {
    const names = async () => (await account.get('/tokens')).body.map(({ name }: { name: string }) => name)
    await account.post('/tokens', { name: 'for ever', scopes: ['scores'] })
    // Less than a session lasts, which would be over as well.
    const rows = await account.post('/tokens', { name: 'for a while', scopes: allScopes, days: 30 })
    expect(await names()).toEqual(expect.arrayContaining(['for ever', 'for a while']))
    await app.ctx.transaction((tx) =>
      tx.updateTable('access_tokens').set({ expires_at: clock.now() }).where('id', '=', rows.body.id).execute(),
    )
    expect(await names()).toContain('for ever')
    expect(await names()).not.toContain('for a while')
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
  ])('none is made where %s is not as it must be: %j', async (param, body) => {
    const before = (await account.get('/tokens')).body
    const refused = await account.post('/tokens', body)
    expect([refused.status, refused.body.param]).toEqual([400, param])
    expect((await account.get('/tokens')).body).toEqual(before)
  })

  it('of somebody else is neither listed nor ended', async () => {
    const rows = await app.ctx.db.read.selectFrom('access_tokens').select('id').where('user_id', '=', olga.id).execute()
    const [{ id } = { id: '' }] = rows
    expect((await account.delete(`/tokens/${id}`)).status).toBe(404)
    expect((await account.get('/tokens')).body.map(({ id }: { id: string }) => id)).not.toContain(id)
    clock.forward(5000)
    expect((await olga.get('/me')).status).toBe(200)
  })

  it('none is made for who was signed out while asking: with another password all is over', async () => {
    const vera = await app.person('vera')
    const visitor = accountIn(await signedIn(app, vera))
    const ask = () => visitor.post('/tokens', { name: 'x', scopes: ['scores'] })
    const { status, body } = await signedOutMeanwhile(app, vera, ask)
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    const { read } = app.ctx.db
    expect(await read.selectFrom('access_tokens').select('id').where('user_id', '=', vera.id).execute()).toEqual([])
  })
})
