import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actsOn } from '../../../test/support/audit.ts'
import { internalClient } from '../../../test/support/client.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { signedIn } from '../../../test/support/sessions.ts'

describeEachDatabase('endOtherSessions', (databases) => {
  const app = useApp(databases)

  it('ends the other sessions of the account at once, and no tokens', async () => {
    const person = await app.person('person')
    const browser = await signedIn(app, person)
    const [other, another] = [await signedIn(app, person), await signedIn(app, person)]
    const account = internalClient(browser)
    expect((await account.get('/security')).body.sessions).toHaveLength(3)
    expect((await account.post('/security/sessions/end-others')).status).toBe(204)
    expect((await account.get('/security')).body.sessions).toHaveLength(1)
    for (const ended of [other, another]) expect((await internalClient(ended).get('/me')).status).toBe(401)
    expect((await person.get('/me')).status).toBe(200)
    await account.post('/security/sessions/end-others')
    expect(await actsOn(app, person.id)).toEqual([
      { organization: null, actor: person.id, action: 'user.sessions-ended', details: { sessions: 2 } },
    ])
  })
})
