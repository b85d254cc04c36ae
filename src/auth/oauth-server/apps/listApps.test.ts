import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

describeEachDatabase('listApps', (databases) => {
  const app = useApp(databases)

  it('lists the apps of the caller without their secrets, and no apps of other users', async () => {
    const [otto, olga] = await Promise.all(
      ['otto', 'olga'].map(async (name) => internalClient(await signedIn(app, await app.person(name)))),
    )
    const registration = { name: 'Tuner', redirectUris: ['https://tuner.example/cb'], isPublic: false }
    const { secret, ...registered } = (await otto?.post('/apps', registration))?.body ?? {}
    expect(secret).toMatch(/^partita_secret_/)
    expect((await otto?.get('/apps'))?.body).toEqual([registered])
    expect((await olga?.get('/apps'))?.body).toEqual([])
  })
})
