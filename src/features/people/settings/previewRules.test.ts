import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { internalClient } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool } from '../../../../test/support/school.ts'
import { withSecondFactor } from '../../../../test/support/second-factors.ts'
import { withPasskey } from '../../../../test/support/passkeys.ts'
import { signedIn } from '../../../../test/support/sessions.ts'
import { day } from '../../../lib/durations.ts'

describeEachDatabase('previewRules', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })

  it('counts the members whom stricter rules lock out, and whose sessions and tokens they end', async () => {
    const { ada: admin, tess: teacher, sam: student } = await makeSchool(app)
    await signedIn(app, student)
    clock.forward(2 * day)
    await withSecondFactor(app, teacher)
    const client = internalClient(await signedIn(app, admin))
    const before = (await client.get('/organization')).body.rules
    const preview = async (rules: object) =>
      (await client.post('/organization/rules/preview', { rules })).body
    // The administrator and two teachers. Students are free of the rule.
    const factor = { rule: 'requireSecondFactor', members: 3, locksOutCaller: true }
    expect(await preview({ requireSecondFactor: true })).toEqual([factor])
    // The organization has six members, and none is linked to a provider.
    const provider = { rule: 'requireProvider', members: 6, locksOutCaller: true }
    expect(await preview({ requireProvider: true })).toEqual([provider])
    // Members without a password at hand need no second factor.
    expect(await preview({ requireSecondFactor: true, requireProvider: true })).toEqual([provider])
    expect(await preview({ maxSessionHours: 24 })).toEqual([
      { rule: 'maxSessionHours', members: 1, locksOutCaller: false },
    ])
    expect(await preview({ maxSessionHours: 72 })).toEqual([])
    // Each member of the tests has a token.
    expect(await preview({ maxTokenDays: 1 })).toEqual([
      { rule: 'maxTokenDays', members: 6, locksOutCaller: false },
    ])
    // The app of the teacher is no passkey.
    const passkey = { rule: 'requirePasskey', members: 4, locksOutCaller: true }
    expect(await preview({ requirePasskey: true })).toEqual([passkey])
    await withPasskey(app, admin)
    expect(await preview({ requirePasskey: true })).toEqual([
      { ...passkey, members: 3, locksOutCaller: false },
    ])
    expect(await preview({ requireSecondFactor: true, teachersResetPasswords: false })).toEqual([
      { ...factor, members: 2, locksOutCaller: false },
    ])
    expect((await client.get('/organization')).body.rules).toEqual(before)
  })
})
