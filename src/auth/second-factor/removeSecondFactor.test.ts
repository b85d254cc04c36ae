import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actionsOn } from '../../../test/support/audit.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { newSignedInUser, password } from '../../../test/support/sessions.ts'
import { afterPassword, withSecondFactor } from '../../../test/support/second-factors.ts'

describeEachDatabase('removeSecondFactor', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let count = 0
  const createUser = () => newSignedInUser(app, `person${++count}`)

  it.each(['code', 'recovery code'])('removes the second factor with a %s', async (kind) => {
    const { person, browser } = await createUser()
    const { code, recoveryCodes } = await withSecondFactor(app, person)
    const proof = { code: kind === 'code' ? code() : recoveryCodes[0] }
    const account = internalClient(browser)
    expect((await account.post('/security/second-factor/remove', proof)).status).toBe(204)
    expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(true)
    const used = kind === 'recovery code' ? ['user.recovery-code-used'] : []
    expect(await actionsOn(app, person)).toEqual([...used, 'user.second-factor-removed'])
    expect((await account.get('/security')).body.secondFactor).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    })
    const twice = await account.post('/security/second-factor/remove', proof)
    expect([twice.status, twice.body.code]).toEqual([409, 'SECOND_FACTOR_OFF'])
  })

  it('refuses the password, and after ten wrong codes any code', async () => {
    const { person, browser } = await createUser()
    const { code } = await withSecondFactor(app, person)
    const account = internalClient(browser)
    const remove = (proof: object) => account.post('/security/second-factor/remove', proof)
    expect((await remove({})).status).toBe(400)
    for (const path of ['/security/second-factor/remove', '/security/recovery-codes']) {
      const { status, body } = await account.post(path, { password })
      expect([status, body.param]).toEqual([400, 'code'])
    }
    for (let n = 0; n < 10; n++) expect((await remove({ code: `wrong ${n}` })).body.code).toBe('WRONG_CODE')
    expect((await remove({ code: code() })).status).toBe(429)
    expect((await account.get('/security')).body.secondFactor.isOn).toBe(true)
    clock.forward(15 * minute)
    expect((await remove({ code: code() })).status).toBe(204)
  })

  it('leaves no recovery codes of a deleted account', async () => {
    const { person } = await createUser()
    await withSecondFactor(app, person)
    await app.ctx.transaction((tx) => tx.deleteFrom('users').where('id', '=', person.id).execute())
    const codes = app.ctx.db.read.selectFrom('recovery_codes').selectAll().where('user_id', '=', person.id)
    expect(await codes.execute()).toEqual([])
  })
})
