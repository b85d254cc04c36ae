import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { type Browser, browserAt } from '../../../test/support/browser.ts'
import { internalClient } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import {
  challengeFor,
  type Faults,
  sendAssertion,
  signInByPasskey,
  softPasskey,
  withPasskey,
} from '../../../test/support/passkeys.ts'
import { afterPassword, withSecondFactor } from '../../../test/support/second-factors.ts'
import { onTwoServers } from '../../../test/support/two-servers.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { updateRemoval } from '../../features/people/users/store.ts'
import { minute } from '../../lib/durations.ts'
import { deletePasskeysOf } from '../passkeys/passkeys.store.ts'
import { countAttempt } from '../throttling/attempt-limits.store.ts'

const mailServer = useMailServer()
const from = (address: string) => ({ 'X-Forwarded-For': address })

describeEachDatabase('sign-in with a passkey', (databases) => {
  const clock = testClock()
  const settings = mailServer.settings({ host: 'localhost', trustProxy: '127.0.0.1' })
  const app = useApp(databases, settings, { clock })
  let count = 0
  const createUser = async (email?: string) => {
    const person = await app.person(`person${++count}`, email ? { email } : {})
    return { person, passkey: await withPasskey(app, person) }
  }
  const stored = ({ id }: { id: string }) =>
    app.ctx.db.read.selectFrom('passkeys').selectAll().where('credential_id', '=', id).executeTakeFirst()

  it('signs in without a name, also an account without an address, and records it', async () => {
    const { person, passkey } = await createUser()
    const { status, browser } = await signInByPasskey(app, passkey, { isSynced: true })
    expect([status, await browser.signedInAs()]).toEqual([200, person.username])
    expect(await stored(passkey)).toMatchObject({ counter: 1, is_synced: 1, last_used_at: clock.now() })
    expect(await auditOf(app, person.id)).toMatchObject([
      { action: 'user.signed-in', actor: person.id, details: { by: 'passkey' } },
    ])
    expect((await internalClient(browser).get('/security')).status).toBe(200)
  })

  it('has one script of this server on its pages, and a form that nothing shows without it', async () => {
    const page = await browserAt(app.url).open('/auth/signin')
    await expectValidHtml(page.text)
    const [, script = ''] = /<script src="(\/auth\/passkey-\w+\.js)" defer><\/script>/.exec(page.text) ?? []
    expect(page.text.split('<script')).toHaveLength(2)
    expect(page.text).toContain('data-passkey="sign-in" hidden>')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["script-src 'self'", "connect-src 'self'"]))
    expect(policy).not.toContain('unsafe')
    const loaded = await fetch(app.url + script)
    expect([loaded.status, loaded.headers.get('content-type'), loaded.headers.get('cache-control')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    for (const path of ['/auth/password', '/auth/own-password'])
      expect((await browserAt(app.url).open(path)).headers.get('content-security-policy')).not.toContain(
        path === '/auth/password' ? 'script-src' : 'unsafe',
      )
  })

  describe('refuses', () => {
    it.each<[string, Faults]>([
      ['another origin', { origin: 'https://partita.example' }],
      ['another relying party', { rpId: 'partita.example' }],
      ['a challenge that was not issued', { challenge: 'AAAA' }],
      ['a passkey that did not verify the user', { userVerified: false }],
      ['a passkey without the presence of the user', { userPresent: false }],
      ['an answer that names no account', { userHandle: undefined }],
      ['an answer that names another account', { userHandle: 'MDEyMzQ1' }],
      ['an answer to a registration', { type: 'webauthn.create' }],
    ])('%s', async (_fault, faults) => {
      const { person, passkey } = await createUser()
      const { status, browser } = await signInByPasskey(app, passkey, faults)
      expect([status, await browser.signedInAs()]).toEqual([401, undefined])
      expect(await auditOf(app, person.id)).toMatchObject([
        { action: 'user.sign-in-failed', actor: null, details: { step: 'passkey' } },
      ])
      expect((await stored(passkey))?.last_used_at).toBe(null)
    })

    it('a signature that is sent again, also concurrently, and one after five minutes', async () => {
      const { passkey } = await createUser()
      const browser = browserAt(app.url)
      const challenge = await challengeFor(browser)
      const Cookie = cookiesOf(browser)
      const assertion = passkey.sign(challenge)
      const send = () => sendAssertion(browserAt(app.url, { Cookie }), assertion)
      const statuses = await Promise.all([send(), send(), send()])
      expect(statuses.sort()).toEqual([200, 401, 401])
      expect(await send()).toBe(401)
      const late = passkey.sign(await challengeFor(browser))
      clock.forward(5 * minute)
      expect(await sendAssertion(browser, late)).toBe(401)
    })

    it('a challenge that another browser got, and one of another purpose', async () => {
      const { person, passkey } = await createUser()
      const [one, other] = [browserAt(app.url), browserAt(app.url)]
      const challenge = await challengeFor(one)
      await challengeFor(other)
      expect(await sendAssertion(other, passkey.sign(challenge))).toBe(401)
      expect(await sendAssertion(one, passkey.sign(challenge))).toBe(200)
      const { browser } = await afterPassword(app, person)
      const ofSecondStep = await challengeFor(browser, 'second-step')
      await challengeFor(browser)
      expect(await sendAssertion(browser, passkey.sign(ofSecondStep))).toBe(401)
    })

    it('a counter that did not increase: records it, and tells the owner once a day', async () => {
      const email = `copied-${databases.dialect}@example.com`
      const { person, passkey } = await createUser(email)
      const use = async (counter: number) => (await signInByPasskey(app, passkey, { counter })).status
      expect([await use(5), await use(5), await use(4), await use(0)]).toEqual([200, 401, 401, 401])
      expect(await use(6)).toBe(200)
      const refused = (await auditOf(app, person.id)).filter(
        ({ action }) => action === 'user.passkey-refused',
      )
      expect(refused).toHaveLength(3)
      expect(refused[0]).toMatchObject({
        actor: null,
        details: { passkey: passkey.rowId, reason: 'counter' },
      })
      await app.jobsDone()
      const mails = mailServer.mails.filter((mail) => mail.includes(`To: ${email}`)).map(readable)
      expect(mails).toEqual([expect.stringContaining('its counter went back')])
    })

    it('no counter of a passkey that counts nothing', async () => {
      const { passkey } = await createUser()
      for (let n = 0; n < 3; n++)
        expect((await signInByPasskey(app, passkey, { counter: 0 })).status).toBe(200)
    })

    it('a passkey that was removed, is not known, or belongs to a removed account', async () => {
      const [one, other] = [await createUser(), await createUser()]
      await app.ctx.transaction(async (tx) => {
        await deletePasskeysOf(tx, one.person.id)
        await updateRemoval(tx, other.person.id, { deletion_at: clock.now() + 1000, removed_by: null })
      })
      const unknown = softPasskey(app, one.person.id)
      for (const passkey of [one.passkey, other.passkey, unknown])
        expect((await signInByPasskey(app, passkey)).status).toBe(401)
    })

    it.each(['', 'null', '{}', '[]', '{"id":1,"response":{}}', '"x"'])(
      'the credential %s',
      async (credential) => {
        const browser = browserAt(app.url)
        await challengeFor(browser)
        const body = new URLSearchParams({ credential })
        const shown = await browser.open('/auth/passkey', { method: 'POST', body })
        expect(shown.status).toBe(401)
        await expectValidHtml(shown.text)
      },
    )

    it('forms of other sites', async () => {
      const { passkey } = await createUser()
      const browser = browserAt(app.url)
      const credential = JSON.stringify(passkey.sign(await challengeFor(browser)))
      const headers = { Origin: 'https://evil.example' }
      const body = new URLSearchParams({ credential })
      for (const path of ['/auth/passkey', '/auth/passkey/challenge'])
        expect((await browser.open(path, { method: 'POST', body, headers })).status).toBe(403)
    })
  })

  describe('limits', () => {
    it('failures to ten for each account and network in 15 minutes, but not a browser that signed in before', async () => {
      const { passkey } = await createUser()
      const known = await signInByPasskey(app, passkey)
      const headers = from('203.0.113.50')
      const wrong = () => signInByPasskey(app, passkey, { origin: 'https://evil.example' }, headers)
      for (let n = 0; n < 10; n++) expect((await wrong()).status).toBe(401)
      expect((await signInByPasskey(app, passkey, {}, headers)).status).toBe(429)
      const again = passkey.sign(await challengeFor(known.browser))
      expect(await sendAssertion(known.browser, again)).toBe(200)
      clock.forward(15 * minute)
      expect((await signInByPasskey(app, passkey, {}, headers)).status).toBe(200)
    })

    it('challenges to 600 for each network and minute', async () => {
      const address = '203.0.113.51'
      const limits = [{ key: ['passkey-challenge', address], max: 600, windowMs: minute }]
      await app.ctx.transaction(async (tx) => {
        for (let n = 0; n < 599; n++) await countAttempt(app.ctx, tx, limits)
      })
      const ask = () => fetch(`${app.url}/auth/passkey/challenge`, { method: 'POST', headers: from(address) })
      expect((await ask()).status).toBe(200)
      const refused = await ask()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    })
  })

  describe('as the second step', () => {
    let person: Person
    let passkey: Awaited<ReturnType<typeof withPasskey>>
    beforeAll(async () => {
      ;({ person, passkey } = await createUser())
    })

    it('signs in after the password, even without verification of the user', async () => {
      const { browser, page } = await afterPassword(app, person)
      expect([
        browser.cookies.has('partita_session'),
        page.text.includes('data-passkey="second-step"'),
      ]).toEqual([false, true])
      await expectValidHtml(page.text)
      const request = await challengeFor(browser, 'second-step')
      expect(request).toMatchObject({ allowCredentials: [{ id: passkey.id }], userVerification: 'preferred' })
      const assertion = passkey.sign(request, { userVerified: false, userHandle: undefined })
      expect(await sendAssertion(browser, assertion, 'second-step')).toBe(200)
      expect(await browser.signedInAs()).toBe(person.username)
    })

    it('signs in with a recovery code, and with a code of the app if there is one', async () => {
      const first = await afterPassword(app, person)
      expect(first.page.text).toContain('Recovery code')
      const [code = ''] = passkey.recoveryCodes
      expect((await first.browser.submit(first.page, '/auth/second-step', { code })).status).toBe(200)
      const { code: appCode } = await withSecondFactor(app, person)
      const second = await afterPassword(app, person)
      await second.browser.submit(second.page, '/auth/second-step', { code: appCode() })
      expect(await second.browser.signedInAs()).toBe(person.username)
    })

    it('refuses passkeys of other accounts, replays, and challenges without a password', async () => {
      const other = await createUser()
      const { browser } = await afterPassword(app, person)
      const challenge = () => challengeFor(browser, 'second-step')
      const send = (assertion: ReturnType<typeof passkey.sign>) =>
        sendAssertion(browser, assertion, 'second-step')
      expect(await send(other.passkey.sign(await challenge()))).toBe(401)
      expect(await send(passkey.sign(await challenge(), { origin: 'https://evil.example' }))).toBe(401)
      const body = new URLSearchParams({ step: 'second-step' })
      const without = await fetch(`${app.url}/auth/passkey/challenge`, { method: 'POST', body })
      expect(without.status).toBe(401)
      const assertion = passkey.sign(await challenge())
      expect(await send(assertion)).toBe(200)
      const later = await afterPassword(app, person)
      expect(await sendAssertion(later.browser, assertion, 'second-step')).toBe(401)
    })

    it('counts wrong passkeys with wrong codes', async () => {
      const { person, passkey } = await createUser()
      const headers = from('203.0.113.52')
      const { browser, page } = await afterPassword(app, person, { headers })
      const send = async (faults: Faults) =>
        sendAssertion(
          browser,
          passkey.sign(await challengeFor(browser, 'second-step'), faults),
          'second-step',
        )
      for (let n = 0; n < 5; n++) {
        expect(await send({ origin: 'https://evil.example' })).toBe(401)
        expect((await browser.submit(page, '/auth/second-step', { code: 'wrong' })).status).toBe(401)
      }
      expect(await send({})).toBe(429)
    })
  })
})

describeEachDatabase('the challenge of a passkey', (databases) => {
  it('counts once for all servers', async () => {
    await onTwoServers(
      databases,
      async ({ app, vera, otherUrl }) => {
        const passkey = await withPasskey(app, vera)
        const browser = browserAt(app.url)
        const assertion = passkey.sign(await challengeFor(browser), { origin: otherUrl })
        const atOther = () => browserAt(otherUrl, { Cookie: cookiesOf(browser) })
        const twice = [sendAssertion(atOther(), assertion), sendAssertion(atOther(), assertion)]
        expect((await Promise.all(twice)).sort()).toEqual([200, 401])
      },
      { host: 'localhost' },
    )
  })
})

const cookiesOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
