import { beforeAll, expect, it } from 'vitest'
import { allScopes } from '../../../src/contract/scopes.ts'
import { useApp } from '../../../test/support/app.ts'
import { type Client, internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { signedIn } from '../../../test/support/sessions.ts'

describeEachDatabase('listPersonalTokens', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let account: Client

  beforeAll(async () => {
    account = internalClient(await signedIn(app, await app.person('otto')))
  })

  it('lists tokens without an expiry, and no expired ones', async () => {
    const names = async () => (await account.get('/tokens')).body.map(({ name }: { name: string }) => name)
    await account.post('/tokens', { name: 'without expiry', scopes: ['scores'] })
    // The clock stays within the lifetime of the session.
    const rows = await account.post('/tokens', { name: 'with expiry', scopes: allScopes, days: 30 })
    expect(await names()).toEqual(expect.arrayContaining(['without expiry', 'with expiry']))
    await app.ctx.transaction((tx) =>
      tx
        .updateTable('access_tokens')
        .set({ expires_at: clock.now() })
        .where('id', '=', rows.body.id)
        .execute(),
    )
    expect(await names()).toContain('without expiry')
    expect(await names()).not.toContain('with expiry')
  })
})
