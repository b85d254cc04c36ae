import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('deleteApp', (databases) => {
  const app = useApp(databases)
  let olga: Person
  let account: Client

  beforeAll(async () => {
    olga = await app.person('olga')
    account = internalClient(await signedIn(app, await app.person('otto')))
  })

  const register = () =>
    account.post('/apps', {
      name: 'Metronome',
      redirectUris: ['https://metronome.example/cb'],
      isPublic: false,
    })

  it('deletes an app of the caller, and returns 404 afterwards', async () => {
    const { id } = (await register()).body
    expect((await account.delete(`/apps/${id}`)).status).toBe(204)
    expect((await account.get('/apps')).body).toEqual([])
    expect((await account.delete(`/apps/${id}`)).status).toBe(404)
  })

  it('refuses a cross-site request', async () => {
    const { id } = (await register()).body
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await account.delete(`/apps/${id}`, { headers })).status).toBe(401)
    expect((await account.get('/apps')).body).toEqual([expect.objectContaining({ id })])
  })

  it('returns 404 for an app of another user', async () => {
    const { id } = (await register()).body
    const other = internalClient(await signedIn(app, olga))
    const refused = await other.delete(`/apps/${id}`)
    expect([refused.status, refused.body.code]).toEqual([404, 'APP_NOT_FOUND'])
    const ids = (reply: { body: { id: string }[] }) => reply.body.map(({ id }) => id)
    expect(ids(await account.get('/apps'))).toContain(id)
    expect(ids(await other.get('/apps'))).not.toContain(id)
  })
})
