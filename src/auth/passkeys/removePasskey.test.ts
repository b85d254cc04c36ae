import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actsOn } from '../../../test/support/audit.ts'
import { internalClient } from '../../../test/support/client.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { withPasskey } from '../../../test/support/passkeys.ts'
import { afterPassword, withSecondFactor } from '../../../test/support/second-factors.ts'
import { newSignedInUser, password } from '../../../test/support/sessions.ts'

describeEachDatabase('removePasskey', (databases) => {
  const app = useApp(databases, { host: 'localhost' })
  let count = 0
  const createUser = () => newSignedInUser(app, `person${++count}`)

  it('removes a passkey with its own signature, and the recovery codes with the last second factor', async () => {
    const { person, browser } = await createUser()
    const [first, second] = [await withPasskey(app, person), await withPasskey(app, person)]
    const account = internalClient(browser)
    const remove = async (passkey: typeof first) => {
      const { body } = await account.post('/security/passkeys/proof')
      return account.post(`/security/passkeys/${passkey.rowId}/remove`, { passkey: passkey.sign(body) })
    }
    expect((await remove(first)).status).toBe(204)
    const left = (await account.get('/security')).body
    expect([left.passkeys.list.length, left.secondFactor.recoveryCodesLeft]).toEqual([1, 10])
    expect((await remove(first)).body.code).toBe('PASSKEY_NOT_FOUND')
    expect((await remove(second)).status).toBe(204)
    expect((await account.get('/security')).body.secondFactor.recoveryCodesLeft).toBe(0)
    expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(true)
    expect(await actsOn(app, person.id)).toMatchObject([
      { action: 'user.passkey-removed', details: { passkey: first.rowId } },
      { action: 'user.passkey-removed', details: { passkey: second.rowId } },
    ])
  })

  it('refuses the password, and ends sign-ins that have begun', async () => {
    const { person, browser } = await createUser()
    const { code } = await withSecondFactor(app, person)
    const { rowId } = await withPasskey(app, person)
    const begun = await afterPassword(app, person)
    const account = internalClient(browser)
    const path = `/security/passkeys/${rowId}/remove`
    expect((await account.post(path, { password })).body.param).toBe('code')
    expect((await account.post(path, { code: code() })).status).toBe(204)
    const after = await begun.browser.submit(begun.page, '/auth/second-step', { code: code(1) })
    expect(begun.browser.cookies.has('partita_session')).toBe(false)
    expect(after.text).toContain('action="/auth/signin"')
  })

  it('does not remove the passkey of another account', async () => {
    const [one, other] = [await createUser(), await createUser()]
    const { rowId } = await withPasskey(app, one.person)
    const { code } = await withSecondFactor(app, other.person)
    const reply = await internalClient(other.browser).post(`/security/passkeys/${rowId}/remove`, {
      code: code(),
    })
    expect([reply.status, reply.body.code]).toEqual([404, 'PASSKEY_NOT_FOUND'])
  })
})
