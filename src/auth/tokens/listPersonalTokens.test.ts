import { beforeAll, expect, it } from 'vitest'
import { allScopes } from '../../../src/contract/scopes.ts'
import { useApp } from '../../../test/support/app.ts'
import { type Client, internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { signedIn } from '../../../test/support/oauth.ts'

describeEachDatabase('listPersonalTokens', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let account: Client

  beforeAll(async () => {
    account = internalClient(await signedIn(app, await app.person('otto')))
  })

  it('lists tokens without an expiry, and no expired ones', async () => {
    const names = async () => (await account.get('/tokens')).body.map(({ name }: { name: string }) => name)
    await account.post('/tokens', { name: 'for ever', scopes: ['scores'] })
    // Less than a session lasts, which would be over as well.
    const rows = await account.post('/tokens', { name: 'for a while', scopes: allScopes, days: 30 })
    expect(await names()).toEqual(expect.arrayContaining(['for ever', 'for a while']))
    await app.ctx.transaction((tx) =>
      tx
        .updateTable('access_tokens')
        .set({ expires_at: clock.now() })
        .where('id', '=', rows.body.id)
        .execute(),
    )
    expect(await names()).toContain('for ever')
    expect(await names()).not.toContain('for a while')
  })
})
