import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { browserAt } from '../../../test/support/browser.ts'
import { testClock } from '../../../test/support/clock.ts'
import { day, minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { authorizationPath, newClient } from '../../../test/support/oauth.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { afterPassword, type SecondFactor, withSecondFactor } from '../../../test/support/second-factors.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { countAttempt } from '../throttling/attempt-limits.store.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'
import { countRecoveryCodes, deleteSecondFactors } from '../second-factor/second-factors.store.ts'
import { insertPasswordReset } from '../sessions/store.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'

const path = '/auth/second-step'
const session = 'partita_session'
const pending = 'partita_signing_in'
const from = (address: string) => ({ 'X-Forwarded-For': address })

describeEachDatabase('sign-in with a second factor', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { trustProxy: '127.0.0.1' }, { clock })
  let otto: Person
  let factor: SecondFactor
  let others = 0

  beforeAll(async () => {
    otto = await app.person('otto')
    factor = await withSecondFactor(app, otto)
  })
  const createUser = async () => {
    const person = await app.person(`person${++others}`)
    return { person, factor: await withSecondFactor(app, person) }
  }
  /** Returns a code that is wrong now. */
  const wrongCode = ({ code }: SecondFactor) => {
    const right = [-1, 0, 1].map(code)
    return ['000000', '111111', '222222', '333333'].find((one) => !right.includes(one)) ?? ''
  }

  it('asks for the password and then for a code, on pages without scripts', async () => {
    const headers = { 'Accept-Language': 'de' }
    const { browser, page } = await afterPassword(app, otto, { next: '/account', headers })
    await expectValidHtml(page.text)
    expect(page.text).toContain('Noch ein Schritt')
    expect(page.text).not.toContain('<script')
    expect([browser.cookies.has(session), browser.cookies.has(pending)]).toEqual([false, true])
    const wrong = await browser.submit(page, path, { code: wrongCode(factor) })
    await expectValidHtml(wrong.text)
    expect([wrong.status, browser.cookies.has(session)]).toEqual([401, false])
    const after = await browser.submit(wrong, path, { code: factor.code() })
    expect([after.url, await browser.signedInAs()]).toEqual([`${app.url}/account`, 'otto'])
    expect([browser.cookies.has(session), browser.cookies.has(pending)]).toEqual([true, false])
  })

  it('gives no access before the code', async () => {
    const { person } = await createUser()
    const { browser } = await afterPassword(app, person)
    for (const page of ['/account', '/account/developer/apps']) {
      expect(new URL((await browser.open(page)).url).pathname).toBe('/auth/signin')
    }
    expect(await browser.signedInAs()).toBeUndefined()
    // The token of the pending sign-in is not accepted as a session.
    const cookie = `${session}=${browser.cookies.get(pending)}`
    const response = await fetch(`${app.url}/account`, { headers: { Cookie: cookie }, redirect: 'manual' })
    expect(response.status).toBe(303)
    const rows = app.ctx.db.read.selectFrom('sessions').select('hash').where('user_id', '=', person.id)
    expect(await rows.execute()).toEqual([])
  })

  it('accepts the codes of the previous and the next half minute, and no others', async () => {
    for (const [step, status] of [
      [-2, 401],
      [2, 401],
      [-1, 200],
      [1, 200],
    ] as const) {
      const { person, factor } = await createUser()
      clock.forward(10 * minute)
      const { browser, page } = await afterPassword(app, person)
      expect((await browser.submit(page, path, { code: factor.code(step) })).status).toBe(status)
    }
  })

  it('accepts a code once, also concurrently, and no earlier code afterwards', async () => {
    const { person, factor } = await createUser()
    const [code, earlier] = [factor.code(1), factor.code()]
    const tries = await Promise.all([afterPassword(app, person), afterPassword(app, person)])
    const answers = await Promise.all(tries.map(({ browser, page }) => browser.submit(page, path, { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    for (const used of [code, earlier]) {
      const { browser, page } = await afterPassword(app, person)
      expect((await browser.submit(page, path, { code: used })).status).toBe(401)
    }
    clock.forward(minute)
    const { browser, page } = await afterPassword(app, person)
    expect((await browser.submit(page, path, { code: factor.code() })).status).toBe(200)
  })

  it('accepts a recovery code once in any spelling and records it', async () => {
    const { person, factor } = await createUser()
    const [first = '', second = ''] = factor.recoveryCodes
    expect(first).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
    const { browser, page } = await afterPassword(app, person)
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')}`
    expect((await browser.submit(page, path, { code: typed })).status).toBe(200)
    expect((await auditOf(app, person.id)).map(({ action }) => action)).toEqual([
      'user.recovery-code-used',
      'user.signed-in',
    ])
    const again = await afterPassword(app, person)
    expect((await again.browser.submit(again.page, path, { code: first })).status).toBe(401)
    expect((await again.browser.submit(again.page, path, { code: second })).status).toBe(200)
    expect(await countRecoveryCodes(app.ctx.db.read, person.id)).toBe(8)
    const tables = await app.ctx.db.read.selectFrom('recovery_codes').selectAll().execute()
    for (const code of factor.recoveryCodes) {
      expect(JSON.stringify(tables)).not.toContain(code)
      expect(JSON.stringify(tables)).not.toContain(code.replaceAll('-', ''))
    }
  })

  it('accepts a recovery code from one of two concurrent requests', async () => {
    const { person, factor } = await createUser()
    const [code = ''] = factor.recoveryCodes
    const tries = await Promise.all([afterPassword(app, person), afterPassword(app, person)])
    const answers = await Promise.all(tries.map(({ browser, page }) => browser.submit(page, path, { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(await countRecoveryCodes(app.ctx.db.read, person.id)).toBe(9)
  })

  it('refuses the codes of another user', async () => {
    const [one, other] = [await createUser(), await createUser()]
    const { browser, page } = await afterPassword(app, one.person)
    for (const code of [other.factor.code(), other.factor.recoveryCodes[0] ?? '', '']) {
      expect((await browser.submit(page, path, { code })).status).toBe(401)
    }
  })

  describe('must be restarted', () => {
    const needsCode = async (pendingSignIn: Awaited<ReturnType<typeof afterPassword>>, code: string) => {
      const after = await pendingSignIn.browser.submit(pendingSignIn.page, path, { code })
      expect(pendingSignIn.browser.cookies.has(session)).toBe(false)
      return after.text.includes('action="/auth/signin"')
    }

    it('five minutes after the password', async () => {
      const { person, factor } = await createUser()
      const pendingSignIn = await afterPassword(app, person)
      clock.forward(5 * minute - 1)
      expect((await pendingSignIn.browser.open(path)).text).toContain(`action="${path}"`)
      clock.forward(1)
      expect((await pendingSignIn.browser.open(path)).text).toContain('action="/auth/signin"')
      expect(await needsCode(pendingSignIn, factor.code())).toBe(true)
    })

    it('in another browser', async () => {
      const { factor, person } = await createUser()
      const { page } = await afterPassword(app, person)
      expect(await needsCode({ browser: browserAt(app.url), page }, factor.code())).toBe(true)
    })

    const changePassword = (tx: Transaction, id: string) => revokeAllSignIns(app.ctx, tx, id)

    it.each([
      ['another password', changePassword],
      ['the second factor removed', deleteSecondFactors],
    ])('with %s', async (_what, end) => {
      const { person, factor } = await createUser()
      const pendingSignIn = await afterPassword(app, person)
      await app.ctx.transaction(async (tx) => {
        await end(tx, person.id)
      })
      expect(await needsCode(pendingSignIn, factor.code())).toBe(true)
    })

    it('after it has succeeded, because the pending sign-in is used up', async () => {
      const { person, factor } = await createUser()
      const pendingSignIn = await afterPassword(app, person)
      const token = pendingSignIn.browser.cookies.get(pending) ?? ''
      await pendingSignIn.browser.submit(pendingSignIn.page, path, { code: factor.code() })
      const body = new URLSearchParams({ code: factor.recoveryCodes[0] ?? '' })
      const headers = { Cookie: `${pending}=${token}` }
      const again = await fetch(app.url + path, { method: 'POST', redirect: 'manual', body, headers })
      expect(new URL(again.headers.get('location') ?? '').pathname).toBe('/auth/signin')
    })
  })

  it('ends the previous session of the browser, whichever user it belongs to', async () => {
    const { person, factor } = await createUser()
    const browser = await signedIn(app, await app.person('before'))
    const before = browser.cookies.get(session) ?? ''
    const body = new URLSearchParams({ username: person.username, password })
    const { url, ...page } = await browser.open('/auth/signin', { method: 'POST', body })
    expect(browser.cookies.get(session)).toBe(before)
    await browser.submit({ url, ...page }, path, { code: factor.code() })
    const headers = { Cookie: `${session}=${before}` }
    expect((await fetch(`${app.url}/account`, { headers, redirect: 'manual' })).status).toBe(303)
  })

  it('refuses cross-site requests and redirects to other sites', async () => {
    const { person, factor } = await createUser()
    const { browser } = await afterPassword(app, person)
    const body = new URLSearchParams({ code: factor.code(), next: 'https://evil.example' })
    const headers = { Origin: 'https://evil.example' }
    expect((await browser.open(path, { method: 'POST', body, headers })).status).toBe(403)
    const after = await browser.open(path, { method: 'POST', body })
    expect(new URL(after.url).origin).toBe(app.url)
    expect(await browser.signedInAs()).toBe(person.username)
  })

  it('needs no code if the second factor is not confirmed', async () => {
    const { person } = await createUser()
    await app.ctx.transaction((tx) =>
      tx.updateTable('second_factors').set({ confirmed_at: null }).where('user_id', '=', person.id).execute(),
    )
    expect((await afterPassword(app, person)).browser.cookies.has(session)).toBe(true)
  })

  describe('is refused', () => {
    it('for 15 minutes after ten wrong codes from a network, also concurrent ones', async () => {
      const { person, factor } = await createUser()
      const headers = from('203.0.113.40')
      const { browser, page } = await afterPassword(app, person, { headers })
      const guesses = Array.from({ length: 14 }, () =>
        browser.submit(page, path, { code: wrongCode(factor) }),
      )
      const statuses = (await Promise.all(guesses)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      const refused = await browser.submit(page, path, { code: factor.code() })
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
      await expectValidHtml(refused.text)
      const otherNetwork = await afterPassword(app, person, { headers: from('203.0.113.41') })
      expect(
        (await otherNetwork.browser.submit(otherNetwork.page, path, { code: factor.code() })).status,
      ).toBe(200)
      clock.forward(15 * minute)
      const later = await afterPassword(app, person, { headers })
      expect((await later.browser.submit(later.page, path, { code: factor.code() })).status).toBe(200)
    })

    it('for a day after fifty wrong codes from everywhere, except in a trusted browser', async () => {
      const { person, factor } = await createUser()
      const known = await afterPassword(app, person)
      await known.browser.submit(known.page, path, { code: factor.code() })
      await known.browser.open('/auth/signout', { method: 'POST' })
      clock.forward(minute)
      await app.ctx.transaction(async (tx) => {
        const limit = { key: ['second-factor', 'to', person.id], max: 50, windowMs: day }
        for (let n = 0; n < 50; n++) await countAttempt(app.ctx, tx, [limit])
      })
      const refused = await afterPassword(app, person, { headers: from('203.0.113.50') })
      expect((await refused.browser.submit(refused.page, path, { code: factor.code() })).status).toBe(429)
      const again = await afterPassword(app, person, { browser: known.browser })
      expect((await known.browser.submit(again.page, path, { code: factor.code() })).status).toBe(200)
    })
  })

  it('is accepted from an address where others have used up the failures of passwords', async () => {
    const { person, factor } = await createUser()
    const headers = from('203.0.113.60')
    await app.ctx.transaction(async (tx) => {
      const limit = { key: ['sign-in', '203.0.113.60'], max: 300 }
      for (let n = 0; n < 300; n++) await countAttempt(app.ctx, tx, [limit])
    })
    const { browser, page } = await afterPassword(app, person, { headers })
    expect((await browser.submit(page, path, { code: factor.code() })).status).toBe(200)
  })

  it('allows at most fifty wrong codes a day in a trusted browser', async () => {
    const { person, factor } = await createUser()
    const { browser, page } = await afterPassword(app, person)
    await browser.submit(page, path, { code: factor.code() })
    await browser.open('/auth/signout', { method: 'POST' })
    let wrong = 0
    for (let quarter = 0; quarter < 24 * 4; quarter++) {
      clock.forward(15 * minute)
      if (wrong >= 50 && quarter < 24 * 4 - 1) continue
      const again = await afterPassword(app, person, { browser })
      for (let n = 0; n < 11; n++) {
        if ((await browser.submit(again.page, path, { code: wrongCode(factor) })).status === 429) break
        wrong++
      }
    }
    expect(wrong).toBe(50)
    clock.forward(day)
    const next = await afterPassword(app, person, { browser })
    expect((await browser.submit(next.page, path, { code: factor.code() })).status).toBe(200)
  })

  describe('asks for a code', () => {
    it('after a password reset', async () => {
      const { person, factor } = await createUser()
      const token = newToken('passwordReset')
      const reset = { hash: hashToken(token), user_id: person.id, expires_at: clock.now() + minute }
      await app.ctx.transaction((tx) => insertPasswordReset(tx, reset))
      const browser = browserAt(app.url)
      const choice = `/auth/password/${token}`
      const page = await browser.submit(await browser.open(choice), choice, { password: 'another one' })
      expect([page.text.includes(`action="${path}"`), browser.cookies.has(session)]).toEqual([true, false])
      await browser.submit(page, path, { code: factor.code() })
      expect(await browser.signedInAs()).toBe(person.username)
    })

    it('on the way to an invitation and to the consent page of an app', async () => {
      const organization = await app.organization()
      const ada = await app.person('ada', { organization, role: 'admin' })
      const { htmlUrl } = (await ada.post('/organizations/invitations', {})).body
      for (const next of [new URL(htmlUrl).pathname, authorizationPath(await newClient(app))]) {
        const { person, factor } = await createUser()
        const browser = browserAt(app.url)
        const { page } = await afterPassword(app, person, { next, browser })
        expect(await browser.signedInAs()).toBeUndefined()
        const after = await browser.submit(page, path, { code: factor.code() })
        expect(after.url).toBe(app.url + next)
        expect(await browser.signedInAs()).toBe(person.username)
      }
    })

    it('but not for a sign-in link of an administrator', async () => {
      const organization = await app.organization()
      const ruth = await app.person('ruth', { organization, role: 'admin' })
      const sam = await app.person('sam', { organization })
      await withSecondFactor(app, sam)
      const { url } = (await ruth.post(`/organizations/users/${sam.id}/signinLink`, {})).body
      const response = await fetch(url, { method: 'POST', redirect: 'manual' })
      expect(response.headers.get('set-cookie')).toContain(`${session}=partita_session_`)
    })
  })

  it('is deleted after it has expired', async () => {
    await afterPassword(app, (await createUser()).person)
    const count = async () =>
      (await app.ctx.db.read.selectFrom('pending_sign_ins').select('hash').execute()).length
    expect(await count()).toBeGreaterThan(0)
    clock.forward(day)
    await app.jobsDone()
    expect(await count()).toBe(0)
  })
})
