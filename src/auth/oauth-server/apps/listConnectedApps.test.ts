import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { newClient, tokensFor } from '../../../../test/support/oauth.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('listConnectedApps', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('lists an app once, with all scopes of its authorizations', async () => {
    const otto = await app.person('otto')
    const client = await newClient(app, { name: 'Ear trainer' })
    const since = new Date(clock.now()).toISOString()
    for (const scope of ['scores', 'scores collections']) {
      await tokensFor(app, otto, client, { access_type: 'offline', scope })
      clock.forward(1000)
    }
    expect((await internalClient(await signedIn(app, otto)).get('/connected-apps')).body).toEqual([
      { id: client.id, name: 'Ear trainer', scopes: ['scores', 'collections'], since },
    ])
  })
})
