import { describe, expect, it } from 'vitest'
import { accountIn } from '../../test/support/account.ts'
import { type Person, useApp } from '../../test/support/app.ts'
import { actsOn } from '../../test/support/audit.ts'
import type { Browser } from '../../test/support/browser.ts'
import { minute, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { password, signedIn } from '../../test/support/oauth.ts'
import { afterPassword, withSecondFactor } from '../../test/support/second-factors.ts'
import { totpCode, totpSecretText } from '../lib/totp.ts'

const path = '/auth/second-step'

describeEachDatabase('a second factor', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let count = 0
  async function somebody(): Promise<{ person: Person; browser: Browser }> {
    const person = await app.person(`person${++count}`)
    return { person, browser: await signedIn(app, person) }
  }
  const actionsOn = async ({ id }: Person) => (await actsOn(app, id)).map(({ action }) => action)
  const codeOf = async ({ id }: Person, steps = 0) => {
    const rows = app.ctx.db.read.selectFrom('second_factors').select('secret').where('user_id', '=', id)
    return totpCode((await rows.executeTakeFirstOrThrow()).secret, clock.now() + steps * 30_000)
  }
  const signInWith = async (person: Person, code: string) => {
    const { browser, page } = await afterPassword(app, person)
    return (await browser.submit(page, path, { code })).status
  }

  it('is set up with the password, and counts from its first code on', async () => {
    const { person, browser } = await somebody()
    const account = accountIn(browser)
    const begun = await account.post('/security/second-factor', { password })
    expect([begun.status, begun.body.secret]).toEqual([201, expect.stringMatching(/^[A-Z2-7]{32}$/)])
    const uri = new URL(begun.body.uri)
    expect([uri.protocol, uri.searchParams.get('secret')]).toEqual(['otpauth:', begun.body.secret])
    expect(decodeURIComponent(uri.pathname)).toBe(`/${new URL(app.url).host}:${person.username}`)
    expect((await account.get('/security')).body.secondFactor).toEqual({ isOn: false, recoveryCodesLeft: 0 })
    expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(true)

    const wrong = await account.post('/security/second-factor/confirm', { code: 'x' })
    expect([wrong.status, wrong.body.code]).toEqual([403, 'WRONG_CODE'])
    const code = await codeOf(person)
    const { status, body } = await account.post('/security/second-factor/confirm', { code })
    expect([status, new Set(body.recoveryCodes).size]).toEqual([200, 10])
    expect((await account.get('/security')).body.secondFactor).toEqual({ isOn: true, recoveryCodesLeft: 10 })
    // The code by which it was confirmed is used up.
    expect(await signInWith(person, code)).toBe(401)
    expect(await signInWith(person, body.recoveryCodes[0])).toBe(200)
    clock.forward(minute)
    expect(await signInWith(person, await codeOf(person))).toBe(200)
    expect(await actionsOn(person)).toEqual(['user.second-factor-added', 'user.recovery-code-used'])
  })

  it('is begun again with another secret, while it does not count; then not', async () => {
    const { person, browser } = await somebody()
    const account = accountIn(browser)
    const first = (await account.post('/security/second-factor', { password })).body.secret
    const stale = await codeOf(person)
    const second = (await account.post('/security/second-factor', { password })).body.secret
    expect(second).not.toBe(first)
    expect((await account.post('/security/second-factor/confirm', { code: stale })).status).toBe(403)
    await account.post('/security/second-factor/confirm', { code: await codeOf(person) })
    const again = await account.post('/security/second-factor', { password })
    expect([again.status, again.body.code]).toEqual([409, 'SECOND_FACTOR_ON'])
    const confirmed = await account.post('/security/second-factor/confirm', { code: await codeOf(person, 1) })
    expect([confirmed.status, confirmed.body.code]).toEqual([409, 'SECOND_FACTOR_ON'])
    const { secret } = await app.ctx.db.read
      .selectFrom('second_factors')
      .select('secret')
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(totpSecretText(secret)).toBe(second)
  })

  it('is confirmed by no more than ten guesses in a quarter of an hour', async () => {
    const { person, browser } = await somebody()
    const account = accountIn(browser)
    await account.post('/security/second-factor', { password })
    const confirm = (code: string) => account.post('/security/second-factor/confirm', { code })
    for (let n = 0; n < 10; n++) expect((await confirm(`wrong ${n}`)).status).toBe(403)
    expect((await confirm(await codeOf(person))).status).toBe(429)
    clock.forward(15 * minute)
    expect((await confirm(await codeOf(person))).status).toBe(200)
  })

  it('is confirmed within an hour, or begun again; what was not is forgotten', async () => {
    const [sam, sol] = [await somebody(), await somebody()]
    for (const { browser } of [sam, sol]) await accountIn(browser).post('/security/second-factor', { password })
    const confirm = async ({ person, browser }: typeof sam) =>
      (await accountIn(browser).post('/security/second-factor/confirm', { code: await codeOf(person) })).status
    clock.forward(59 * minute)
    expect(await confirm(sam)).toBe(200)
    clock.forward(minute)
    expect(await confirm(sol)).toBe(403)
    await app.jobsDone()
    const kept = app.ctx.db.read.selectFrom('second_factors').select('user_id')
    const users = (await kept.execute()).map(({ user_id }) => user_id)
    expect(users).toContain(sam.person.id)
    expect(users).not.toContain(sol.person.id)
  })

  it('is not begun without the password', async () => {
    const { browser } = await somebody()
    const { status, body } = await accountIn(browser).post('/security/second-factor', { password: 'guess' })
    expect([status, body.code]).toEqual([403, 'WRONG_PASSWORD'])
  })

  describe('is taken off', () => {
    it.each(['code', 'recovery code'])('with a %s', async (kind) => {
      const { person, browser } = await somebody()
      const { code, recoveryCodes } = await withSecondFactor(app, person)
      const proof = { code: kind === 'code' ? code() : recoveryCodes[0] }
      const account = accountIn(browser)
      expect((await account.post('/security/second-factor/remove', proof)).status).toBe(204)
      expect((await afterPassword(app, person)).browser.cookies.has('partita_session')).toBe(true)
      const used = kind === 'recovery code' ? ['user.recovery-code-used'] : []
      expect(await actionsOn(person)).toEqual([...used, 'user.second-factor-removed'])
      expect((await account.get('/security')).body.secondFactor).toEqual({ isOn: false, recoveryCodesLeft: 0 })
      const twice = await account.post('/security/second-factor/remove', proof)
      expect([twice.status, twice.body.code]).toEqual([409, 'SECOND_FACTOR_OFF'])
    })

    it('by nobody who has found a browser open: not with the password, and after ten tries not at all', async () => {
      const { person, browser } = await somebody()
      const { code } = await withSecondFactor(app, person)
      const account = accountIn(browser)
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
  })

  it('has recovery codes made anew, after which those of before hold no more', async () => {
    const { person, browser } = await somebody()
    const { code, recoveryCodes } = await withSecondFactor(app, person)
    const account = accountIn(browser)
    expect((await account.post('/security/recovery-codes', { code: 'guess' })).status).toBe(403)
    const { body } = await account.post('/security/recovery-codes', { code: code() })
    expect(body.recoveryCodes).toHaveLength(10)
    expect(await signInWith(person, recoveryCodes[0] ?? '')).toBe(401)
    expect(await signInWith(person, body.recoveryCodes[9])).toBe(200)
    expect((await account.get('/security')).body.secondFactor).toEqual({ isOn: true, recoveryCodesLeft: 9 })
    expect((await actionsOn(person))[0]).toBe('user.recovery-codes-made')
    const none = await accountIn((await somebody()).browser).post('/security/recovery-codes', { code: code() })
    expect([none.status, none.body.code]).toEqual([409, 'SECOND_FACTOR_OFF'])
  })

  it('goes with the account when that is deleted', async () => {
    const { person } = await somebody()
    await withSecondFactor(app, person)
    await app.ctx.transaction((tx) => tx.deleteFrom('users').where('id', '=', person.id).execute())
    const left = app.ctx.db.read.selectFrom('recovery_codes').selectAll().where('user_id', '=', person.id)
    expect(await left.execute()).toEqual([])
  })
})
