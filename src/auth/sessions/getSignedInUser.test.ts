import { expect, it } from 'vitest'
import { internalClient } from '../../../test/support/client.ts'
import { describeApp } from '../../../test/support/app.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { deleteSessionsOf } from './store.ts'
import { makeSchool } from '../../../test/support/school.ts'

describeApp('getSignedInUser', (app) => {
  it('returns the user of the session', async () => {
    const { tess } = await makeSchool(app)
    const { status, body } = await internalClient(await signedIn(app, tess)).get('/me')
    const { id, username } = tess
    const user = {
      id,
      username,
      email: null,
      organizationRole: 'teacher',
      display: { simplePages: false },
      isDelegated: false,
    }
    expect([status, body]).toEqual([200, user])
  })

  it('is refused after the session has ended', async () => {
    const quinn = await app.person('quinn')
    const browser = await signedIn(app, quinn)
    await app.ctx.transaction((tx) => deleteSessionsOf(tx, quinn.id))
    const { status, body } = await internalClient(browser).get('/me')
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  })
})
