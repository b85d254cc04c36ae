import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { type Client, clientOf, internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { ask, newClient, tokensFor } from '../../../../test/support/oauth.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('disconnectApp', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person
  let olga: Person
  let account: Client

  beforeAll(async () => {
    otto = await app.person('otto')
    olga = await app.person('olga')
    account = internalClient(await signedIn(app, otto))
  })

  const statusWith = async (token: string) => (await clientOf(app.url, token).get('/scores/x')).status

  it('ends every authorization of the app at once, and none of other users', async () => {
    const client = await newClient(app, { name: 'Ear trainer' })
    const offline = { access_type: 'offline' }
    const tokens = [
      await tokensFor(app, otto, client, offline),
      await tokensFor(app, otto, client, { ...offline, scope: 'scores collections' }),
    ]
    const others = await tokensFor(app, olga, client, offline)
    const since = new Date(clock.now()).toISOString()
    expect((await account.get('/connected-apps')).body).toEqual([
      { id: client.id, name: 'Ear trainer', scopes: ['scores', 'collections'], since },
    ])
    for (const { access_token } of tokens) expect(await statusWith(access_token)).toBe(404)

    expect((await account.delete(`/connected-apps/${client.id}`)).status).toBe(204)
    for (const { access_token, refresh_token } of tokens) {
      expect(await statusWith(access_token)).toBe(401)
      const refresh = { grant_type: 'refresh_token', refresh_token }
      expect((await ask(app, 'access_token', client, refresh)).body.error).toBe('invalid_grant')
    }
    expect((await account.get('/connected-apps')).body).toEqual([])
    expect(await statusWith(others.access_token)).toBe(404)
  })

  it('does nothing for an app without access', async () => {
    expect((await account.delete('/connected-apps/0123456789abcdef01234567')).status).toBe(204)
  })
})
