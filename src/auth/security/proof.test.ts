import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { countAttempt } from '../throttling/attempt-limits.store.ts'

describeEachDatabase('provePassword', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('accepts the correct password sixty times in a quarter of an hour', async () => {
    const person = await app.person('person')
    const account = internalClient(await signedIn(app, person))
    await app.ctx.transaction(async (tx) => {
      for (let n = 0; n < 59; n++)
        await countAttempt(app.ctx, tx, [{ key: ['proof', 'right', person.id], max: 60 }])
    })
    const begin = async () => (await account.post('/security/second-factor', { password })).status
    expect(await begin()).toBe(201)
    expect(await begin()).toBe(429)
    clock.forward(15 * minute)
    expect(await begin()).toBe(201)
  })
})
