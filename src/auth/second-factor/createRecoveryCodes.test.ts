import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actionsOn } from '../../../test/support/audit.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { newSignedInUser } from '../../../test/support/sessions.ts'
import { signInWithCode, withSecondFactor } from '../../../test/support/second-factors.ts'

describeEachDatabase('createRecoveryCodes', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let count = 0
  const createUser = () => newSignedInUser(app, `person${++count}`)

  it('replaces the recovery codes, and the previous ones no longer count', async () => {
    const { person, browser } = await createUser()
    const { code, recoveryCodes } = await withSecondFactor(app, person)
    const account = internalClient(browser)
    expect((await account.post('/security/recovery-codes', { code: 'guess' })).status).toBe(403)
    const { body } = await account.post('/security/recovery-codes', { code: code() })
    expect(body.recoveryCodes).toHaveLength(10)
    expect(await signInWithCode(app, person, recoveryCodes[0] ?? '')).toBe(401)
    expect(await signInWithCode(app, person, body.recoveryCodes[9])).toBe(200)
    expect((await account.get('/security')).body.secondFactor).toEqual({
      isOn: true,
      recoveryCodesLeft: 9,
    })
    expect((await actionsOn(app, person))[0]).toBe('user.recovery-codes-made')
    const none = await internalClient((await createUser()).browser).post('/security/recovery-codes', {
      code: code(),
    })
    expect([none.status, none.body.code]).toEqual([409, 'SECOND_FACTOR_OFF'])
  })
})
