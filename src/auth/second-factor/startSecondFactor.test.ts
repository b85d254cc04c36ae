import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { storedFactorCode } from '../../../test/support/second-factors.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { newSignedInUser, password } from '../../../test/support/sessions.ts'
import { totpSecretOf } from './totp-secrets.store.ts'
import { totpSecretText } from './totp.ts'

describeEachDatabase('startSecondFactor', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let count = 0
  const createUser = () => newSignedInUser(app, `person${++count}`)

  it('replaces the secret until a code has confirmed it, and refuses afterwards', async () => {
    const { person, browser } = await createUser()
    const account = internalClient(browser)
    const first = (await account.post('/security/second-factor', { password })).body.secret
    const stale = await storedFactorCode(app, person)
    const second = (await account.post('/security/second-factor', { password })).body.secret
    expect(second).not.toBe(first)
    expect((await account.post('/security/second-factor/confirm', { code: stale })).status).toBe(403)
    await account.post('/security/second-factor/confirm', { code: await storedFactorCode(app, person) })
    const again = await account.post('/security/second-factor', { password })
    expect([again.status, again.body.code]).toEqual([409, 'SECOND_FACTOR_ON'])
    const confirmed = await account.post('/security/second-factor/confirm', {
      code: await storedFactorCode(app, person, 1),
    })
    expect([confirmed.status, confirmed.body.code]).toEqual([409, 'SECOND_FACTOR_ON'])
    const row = await app.ctx.db.read
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow()
    const secret = totpSecretOf(app.ctx, row)
    expect(totpSecretText(secret)).toBe(second)
    expect(Buffer.from(row.secret).includes(Buffer.from(secret))).toBe(false)
  })

  it('refuses a wrong password', async () => {
    const { browser } = await createUser()
    const { status, body } = await internalClient(browser).post('/security/second-factor', {
      password: 'guess',
    })
    expect([status, body.code]).toEqual([403, 'WRONG_PASSWORD'])
  })
})
