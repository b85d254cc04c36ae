import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { type Client, clientOf, internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { signedIn } from '../../../test/support/sessions.ts'

describeEachDatabase('revokePersonalToken', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let olga: Person
  let account: Client

  beforeAll(async () => {
    olga = await app.person('olga')
    account = internalClient(await signedIn(app, await app.person('otto')))
  })

  it('refuses the token from the next request on', async () => {
    const { id, token } = (await account.post('/tokens', { name: 'Backup', scopes: ['collections'] })).body
    const holder = clientOf(app.url, token)
    expect((await holder.get('/collections')).status).toBe(200)
    expect((await account.delete(`/tokens/${id}`)).status).toBe(204)
    expect((await holder.get('/collections')).status).toBe(401)
    const again = await account.delete(`/tokens/${id}`)
    expect([again.status, again.body.code]).toEqual([404, 'TOKEN_NOT_FOUND'])
  })

  it('neither lists nor revokes tokens of other users', async () => {
    const { id } = await app.ctx.db.read
      .selectFrom('access_tokens')
      .select('id')
      .where('user_id', '=', olga.id)
      .executeTakeFirstOrThrow()
    expect((await account.delete(`/tokens/${id}`)).status).toBe(404)
    expect((await account.get('/tokens')).body.map(({ id }: { id: string }) => id)).not.toContain(id)
    // The server caches the actor of a token for five seconds.
    clock.forward(5000)
    expect((await olga.get('/me')).status).toBe(200)
  })
})
