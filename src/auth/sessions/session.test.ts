import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { signedIn } from '../../../test/support/sessions.ts'
import { createSession } from './session.ts'

describeEachDatabase('createSession', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('ends the oldest session of an account that has 100 sessions', async () => {
    const otto = await app.person('otto')
    const browser = await signedIn(app, otto)
    clock.forward(minute)
    const newest = await signedIn(app, otto)
    await app.ctx.transaction(async (tx) => {
      // The two browsers have the other sessions.
      for (let n = 0; n < 98; n++) await createSession(app.ctx, tx, otto.id)
    })
    expect((await internalClient(browser).get('/security')).body.sessions).toHaveLength(100)
    clock.forward(minute)
    await signedIn(app, otto)
    expect((await internalClient(browser).get('/security')).status).toBe(401)
    expect((await internalClient(newest).get('/security')).body.sessions).toHaveLength(100)
  })
})
