import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { useApp } from '../../../test/support/app.ts'
import { actionsOn } from '../../../test/support/audit.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { newSignedInUser, password } from '../../../test/support/sessions.ts'
import {
  afterPassword,
  signInWithCode,
  storedFactorCode,
  withSecondFactor,
} from '../../../test/support/second-factors.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { newTotpSecret } from './totp.ts'
import { sealTotpSecret } from './totp-secrets.store.ts'

describeEachDatabase('confirmSecondFactor', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let count = 0
  const createUser = () => newSignedInUser(app, `person${++count}`)

  it('turns the second factor on with its first code, which is then used up', async () => {
    const { person, browser } = await createUser()
    const account = internalClient(browser)
    const started = await account.post('/security/second-factor', { password })
    expect([started.status, started.body.secret]).toEqual([201, expect.stringMatching(/^[A-Z2-7]{32}$/)])
    const uri = new URL(started.body.uri)
    expect([uri.protocol, uri.searchParams.get('secret')]).toEqual(['otpauth:', started.body.secret])
    expect(decodeURIComponent(uri.pathname)).toBe(`/${new URL(app.url).host}:${person.username}`)
    expect((await account.get('/security')).body.secondFactor).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    })
    expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(true)

    const wrong = await account.post('/security/second-factor/confirm', { code: 'x' })
    expect([wrong.status, wrong.body.code]).toEqual([403, 'WRONG_CODE'])
    const code = await storedFactorCode(app, person)
    const { status, body } = await account.post('/security/second-factor/confirm', { code })
    expect([status, new Set(body.recoveryCodes).size]).toEqual([200, 10])
    expect((await account.get('/security')).body.secondFactor).toEqual({
      isOn: true,
      recoveryCodesLeft: 10,
    })
    // The code by which it was confirmed is used up.
    expect(await signInWithCode(app, person, code)).toBe(401)
    expect(await signInWithCode(app, person, body.recoveryCodes[0])).toBe(200)
    clock.forward(minute)
    expect(await signInWithCode(app, person, await storedFactorCode(app, person))).toBe(200)
    expect(await actionsOn(app, person)).toEqual(['user.second-factor-added', 'user.recovery-code-used'])
  })

  it('accepts recovery codes while the key of the secret is missing, and logs which setting must have it', async () => {
    const { person } = await createUser()
    const { code, recoveryCodes } = await withSecondFactor(app, person)
    const otherKey = { secrets: secretBox(() => [randomBytes(32)]) }
    const secret = sealTotpSecret(otherKey, person.id, newTotpSecret())
    await app.ctx.transaction((tx) =>
      tx.updateTable('second_factors').set({ secret }).where('user_id', '=', person.id).execute(),
    )
    app.expectLog(/The key of the secret of second factor .* into SECRETS_KEY or DATA_DIR\/secrets\.key/)
    expect(await signInWithCode(app, person, code())).toBe(500)
    expect(await signInWithCode(app, person, recoveryCodes[0] ?? '')).toBe(200)
  })

  it('refuses the 11th wrong code in a quarter of an hour', async () => {
    const { person, browser } = await createUser()
    const account = internalClient(browser)
    await account.post('/security/second-factor', { password })
    const confirm = (code: string) => account.post('/security/second-factor/confirm', { code })
    for (let n = 0; n < 10; n++) expect((await confirm(`wrong ${n}`)).status).toBe(403)
    expect((await confirm(await storedFactorCode(app, person))).status).toBe(429)
    clock.forward(15 * minute)
    expect((await confirm(await storedFactorCode(app, person))).status).toBe(200)
  })

  it('accepts a code for an hour after the start, and deletes the secret then', async () => {
    const [sam, sol] = [await createUser(), await createUser()]
    for (const { browser } of [sam, sol])
      await internalClient(browser).post('/security/second-factor', { password })
    const confirm = async ({ person, browser }: typeof sam) =>
      (
        await internalClient(browser).post('/security/second-factor/confirm', {
          code: await storedFactorCode(app, person),
        })
      ).status
    clock.forward(59 * minute)
    expect(await confirm(sam)).toBe(200)
    clock.forward(minute)
    expect(await confirm(sol)).toBe(403)
    await app.jobsDone()
    const factors = app.ctx.db.read.selectFrom('second_factors').select('user_id')
    const users = (await factors.execute()).map(({ user_id }) => user_id)
    expect(users).toContain(sam.person.id)
    expect(users).not.toContain(sol.person.id)
  })
})
