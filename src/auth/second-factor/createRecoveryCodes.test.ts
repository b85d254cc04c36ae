import { expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { actsOn } from '../../../test/support/audit.ts'
import type { Browser } from '../../../test/support/browser.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { signedIn } from '../../../test/support/oauth.ts'
import { afterPassword, withSecondFactor } from '../../../test/support/second-factors.ts'

describeEachDatabase('createRecoveryCodes', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let count = 0
  async function createUser(): Promise<{ person: Person; browser: Browser }> {
    const person = await app.person(`person${++count}`)
    return { person, browser: await signedIn(app, person) }
  }
  const actionsOn = async ({ id }: Person) => (await actsOn(app, id)).map(({ action }) => action)
  const signInWith = async (person: Person, code: string) => {
    const { browser, page } = await afterPassword(app, person)
    return (await browser.submit(page, '/auth/second-step', { code })).status
  }

  it('replaces the recovery codes, and the previous ones no longer count', async () => {
    const { person, browser } = await createUser()
    const { code, recoveryCodes } = await withSecondFactor(app, person)
    const account = internalClient(browser)
    expect((await account.post('/security/recovery-codes', { code: 'guess' })).status).toBe(403)
    const { body } = await account.post('/security/recovery-codes', { code: code() })
    expect(body.recoveryCodes).toHaveLength(10)
    expect(await signInWith(person, recoveryCodes[0] ?? '')).toBe(401)
    expect(await signInWith(person, body.recoveryCodes[9])).toBe(200)
    expect((await account.get('/security')).body.secondFactor).toEqual({ isOn: true, recoveryCodesLeft: 9 })
    expect((await actionsOn(person))[0]).toBe('user.recovery-codes-made')
    const none = await internalClient((await createUser()).browser).post('/security/recovery-codes', {
      code: code(),
    })
    expect([none.status, none.body.code]).toEqual([409, 'SECOND_FACTOR_OFF'])
  })
})
