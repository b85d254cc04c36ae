import { beforeEach, describe, expect, it } from 'vitest'
import { insertProviderAccount } from '../../src/auth/providers/store.ts'
import type { Mount } from '../../src/contract/routes.ts'
import { noPassword } from '../../src/features/people/users/accounts.ts'
import { updatePassword } from '../../src/features/people/users/store.ts'
import { day, hour, minute } from '../../src/lib/durations.ts'
import type { Operation } from '../../src/operation.ts'
import { internalOperations, operations } from '../../src/operations.ts'
import { type Person, useApp } from '../support/app.ts'
import { type Browser, browserAt } from '../support/browser.ts'
import { internalClient, sessionClient } from '../support/client.ts'
import { testClock } from '../support/clock.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { allow, ask, authorizationPath, newClient } from '../support/oauth.ts'
import { useMailServer } from '../support/mail-server.ts'
import { addProvider } from '../support/openid-provider.ts'
import { limit } from '../support/organizations.ts'
import { addPasskey, signInByPasskey, withPasskey } from '../support/passkeys.ts'
import {
  afterPassword,
  signInWithCode,
  storedFactorCode,
  withSecondFactor,
} from '../support/second-factors.ts'
import { password, signedIn } from '../support/sessions.ts'
import { missing } from './as-missing.ts'

const mailServer = useMailServer()

/** The operations that a member can use who must set up a second factor first. */
const setUp = [
  'addPasskey',
  'confirmSecondFactor',
  'getSecurity',
  'getSignedInUser',
  'startPasskey',
  'startSecondFactor',
]

describeEachDatabase('what an organization requires of sign-ins', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings({ host: 'localhost' }), { clock })
  let n = 0
  let school: string

  beforeEach(async () => {
    school = await app.organization()
  })

  const newMember = (role: 'admin' | 'accountAdmin' | 'teacher' | 'user' = 'teacher') =>
    app.person(`member${++n}`, { organization: school, role })
  const require = (change: Parameters<typeof limit>[2]) => limit(app, school, change)
  const pathOpened = async (browser: Browser, path: string) =>
    new URL((await browser.open(path)).url, app.url).pathname

  describe('a second factor of administrators and teachers', () => {
    beforeEach(() => require({ requires_second_factor: 1 }))

    async function statusOf(person: Person) {
      const { status, body } = await sessionClient(await signedIn(app, person)).get('/me')
      return status === 200 ? 'open' : body.code
    }

    it.each([
      ['accountAdmin', 'SECOND_FACTOR_REQUIRED'],
      ['admin', 'SECOND_FACTOR_REQUIRED'],
      ['teacher', 'SECOND_FACTOR_REQUIRED'],
      ['user', 'open'],
    ] as const)('restricts the session of the role %s: %s', async (role, expected) => {
      expect(await statusOf(await newMember(role))).toBe(expected)
    })

    it('does not restrict other organizations and individual accounts', async () => {
      const elsewhere = await app.person(`member${++n}`, {
        organization: await app.organization(),
        role: 'admin',
      })
      expect(await statusOf(elsewhere)).toBe('open')
      expect(await statusOf(await app.person(`member${++n}`))).toBe('open')
    })

    it('does not restrict tokens, sign-in links, and members without a password', async () => {
      const [ada, teacher] = [await newMember('admin'), await newMember()]
      expect((await teacher.get('/me')).status).toBe(200)
      const link = await ada.post(`/organizations/users/${teacher.id}/signinLink`, {})
      const byLink = browserAt(app.url)
      await byLink.open(link.body.url, { method: 'POST', body: new URLSearchParams() })
      expect((await sessionClient(byLink).get('/me')).status).toBe(200)

      const browser = await signedIn(app, teacher)
      await app.ctx.transaction((tx) => updatePassword(tx, teacher.id, noPassword))
      expect((await sessionClient(browser).get('/me')).status).toBe(200)
    })

    it('restricts sessions that are open when the rule is set, within five seconds', async () => {
      await require({ requires_second_factor: 0 })
      const client = sessionClient(await signedIn(app, await newMember()))
      expect((await client.get('/me')).status).toBe(200)
      await require({ requires_second_factor: 1 })
      clock.forward(6000)
      expect((await client.get('/me')).body.code).toBe('SECOND_FACTOR_REQUIRED')
    })

    it('leaves only the operations that set one up', async () => {
      const browser = await signedIn(app, await newMember('admin'))
      const every: [Mount, Readonly<Record<string, Operation>>][] = [
        ['/v2', operations],
        ['/internal', internalOperations],
      ]
      const open: string[] = []
      for (const [mount, byId] of every) {
        const client = sessionClient(browser, mount)
        for (const { id, method, path, accepts } of Object.values(byId)) {
          if (accepts === 'token') continue
          const { status, body } = await client.request(method, path.replaceAll(/\{\w+\}/g, missing))
          if (status !== 403 || body.code !== 'SECOND_FACTOR_REQUIRED') open.push(id)
        }
      }
      expect(open.sort()).toEqual(setUp)
    })

    it('leads to the security page, and opens everything once the factor is on', async () => {
      const teacher = await newMember()
      const browser = browserAt(app.url, { Accept: 'text/html' })
      const form = await browser.open('/auth/signin')
      const shown = await browser.submit(form, '/auth/signin', { username: teacher.username, password })
      expect(new URL(shown.url).pathname).toBe('/account/security')
      const consent = authorizationPath(await newClient(app))
      for (const path of ['/account', '/account/tokens', consent])
        expect(await pathOpened(browser, path)).toBe('/account/security')

      const account = internalClient(browser)
      expect((await account.get('/security')).body.missingFactor).toBe('second factor')
      expect((await account.post('/security/second-factor', { password })).status).toBe(201)
      const code = await storedFactorCode(app, teacher)
      expect((await account.post('/security/second-factor/confirm', { code })).status).toBe(200)
      expect((await account.get('/security')).body).toMatchObject({
        missingFactor: null,
        secondFactor: { isOn: true },
      })
      expect((await account.get('/tokens')).status).toBe(200)
      for (const path of ['/account', '/account/tokens']) expect(await pathOpened(browser, path)).toBe(path)
      expect(await pathOpened(browser, consent)).toBe('/auth/oauth')
    })

    it('restricts the session again when the factor is removed', async () => {
      const teacher = await newMember()
      await require({ requires_second_factor: 0 })
      const account = internalClient(await signedIn(app, teacher))
      const factor = await withSecondFactor(app, teacher)
      await require({ requires_second_factor: 1 })
      expect((await account.get('/tokens')).status).toBe(200)
      const removal = await account.post('/security/second-factor/remove', { code: factor.code() })
      expect(removal.status).toBe(204)
      expect((await account.get('/tokens')).body.code).toBe('SECOND_FACTOR_REQUIRED')
    })
  })

  describe('a passkey of administrators and teachers', () => {
    beforeEach(() => require({ requires_passkey: 1 }))

    const codeOf = async (person: Person) => {
      const { status, body } = await sessionClient(await signedIn(app, person)).get('/me')
      return status === 200 ? 'open' : body.code
    }

    it.each([
      ['accountAdmin', 'PASSKEY_REQUIRED'],
      ['admin', 'PASSKEY_REQUIRED'],
      ['teacher', 'PASSKEY_REQUIRED'],
      ['user', 'open'],
    ] as const)('restricts the session of the role %s: %s', async (role, expected) => {
      expect(await codeOf(await newMember(role))).toBe(expected)
    })

    it('opens everything once one is added, which is a second factor too', async () => {
      await require({ requires_second_factor: 1 })
      const teacher = await newMember()
      const browser = await signedIn(app, teacher)
      const account = internalClient(browser)
      expect((await account.get('/security')).body.missingFactor).toBe('passkey')
      expect((await account.get('/tokens')).body.code).toBe('PASSKEY_REQUIRED')
      expect(await pathOpened(browser, '/account')).toBe('/account/security')
      const { passkey, reply } = await addPasskey(app, browser)
      expect(reply.status).toBe(201)
      expect((await account.get('/security')).body.missingFactor).toBe(null)
      expect((await account.get('/tokens')).status).toBe(200)
      expect((await signInByPasskey(app, passkey)).status).toBe(200)
    })

    it('is not met by an authenticator app, whose codes sign in only until there is a passkey', async () => {
      const teacher = await newMember()
      const { code, recoveryCodes } = await withSecondFactor(app, teacher)
      const first = await afterPassword(app, teacher)
      await first.browser.submit(first.page, '/auth/second-step', { code: code() })
      expect((await internalClient(first.browser).get('/tokens')).body.code).toBe('PASSKEY_REQUIRED')
      await addPasskey(app, first.browser, { proof: { code: recoveryCodes[0] } })
      clock.forward(minute)
      const { browser, page } = await afterPassword(app, teacher)
      const send = async (code = '') => (await browser.submit(page, '/auth/second-step', { code })).status
      expect(await send(code())).toBe(401)
      // A recovery code replaces a lost passkey.
      expect(await send(recoveryCodes[1])).toBe(200)
      const elsewhere = await newMember('user')
      const factor = await withSecondFactor(app, elsewhere)
      await withPasskey(app, elsewhere)
      expect(await signInWithCode(app, elsewhere, factor.code())).toBe(200)
    })

    it('restricts the session again when the last passkey is removed', async () => {
      const teacher = await newMember()
      const passkey = await withPasskey(app, teacher)
      const { browser } = await signInByPasskey(app, passkey)
      const account = internalClient(browser)
      expect((await account.get('/tokens')).status).toBe(200)
      const { body } = await account.post('/security/passkeys/proof')
      const proof = { passkey: passkey.sign(body) }
      const removed = await account.post(`/security/passkeys/${passkey.rowId}/remove`, proof)
      expect(removed.status).toBe(204)
      expect((await account.get('/tokens')).body.code).toBe('PASSKEY_REQUIRED')
    })
  })

  describe('a maximum age', () => {
    it('ends sessions, those of before the rule too, and is shown as their end', async () => {
      const browser = await signedIn(app, await newMember())
      await require({ max_session_ms: 8 * hour })
      clock.forward(8 * hour - minute)
      const [session] = (await internalClient(browser).get('/security')).body.sessions
      expect(Date.parse(session.endsAt) - Date.parse(session.startedAt)).toBe(8 * hour)
      clock.forward(minute)
      expect((await internalClient(browser).get('/security')).status).toBe(401)
      expect(await pathOpened(browser, '/account')).toBe('/auth/signin')
    })

    it('does not extend a session', async () => {
      await require({ max_session_ms: 100 * day })
      const browser = await signedIn(app, await newMember())
      clock.forward(14 * day)
      expect((await internalClient(browser).get('/security')).status).toBe(401)
    })

    it('ends personal tokens, and is shown as their end', async () => {
      const teacher = await newMember()
      await require({ max_token_ms: 30 * day })
      const account = internalClient(await signedIn(app, teacher))
      const made = await account.post('/tokens', { name: 'Own', scopes: ['scores'], days: 365 })
      expect(Date.parse(made.body.expiresAt)).toBe(clock.now() + 30 * day)
      for (const { createdAt, expiresAt } of (await account.get('/tokens')).body)
        expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * day)
      clock.forward(30 * day - minute)
      expect((await teacher.get('/me')).status).toBe(200)
      clock.forward(minute)
      expect((await teacher.get('/me')).status).toBe(401)
    })

    it('ends the authorization of an app with all its tokens', async () => {
      const client = await newClient(app)
      await require({ max_token_ms: 2 * day })
      const browser = await signedIn(app, await newMember())
      const path = authorizationPath(client, { access_type: 'offline' })
      const code = (await allow(browser, path)).get('code') ?? ''
      const first = await ask(app, 'access_token', client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirectUri,
      })
      expect(first.body.expires_in).toBe(day / 1000)
      const refresh = (refresh_token: string) =>
        ask(app, 'access_token', client, { grant_type: 'refresh_token', refresh_token })
      clock.forward(2 * day - hour)
      const second = await refresh(first.body.refresh_token)
      expect([second.status, second.body.expires_in]).toEqual([200, hour / 1000])
      clock.forward(hour)
      expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
    })
  })

  describe('a provider', () => {
    let label: string

    beforeEach(async () => {
      const name = `provider${++n}`
      await addProvider(app, { name, organization: school, issuer: 'https://id.example' })
      label = `/auth/oidc/${name}`
      await require({ requires_provider: 1 })
    })

    async function enter({ username }: Person, word = password) {
      const browser = browserAt(app.url)
      const shown = await browser.submit(await browser.open('/auth/signin'), '/auth/signin', {
        username,
        password: word,
      })
      return { browser, shown }
    }

    it('refuses the right password, and shows the button of the provider', async () => {
      const { browser, shown } = await enter(await newMember())
      expect([shown.status, browser.cookies.has('partita_session')]).toEqual([403, false])
      expect(shown.text).toContain(label)
    })

    it('does not tell without the right password', async () => {
      const [known, unknown] = [
        await enter(await newMember(), 'a wrong one'),
        await enter({ username: 'nobody' } as Person),
      ]
      expect([known.shown.status, unknown.shown.status]).toEqual([401, 401])
    })

    it('needs no second factor, and keeps the sessions of the provider open', async () => {
      await require({ requires_second_factor: 1, requires_provider: 0 })
      const teacher = await newMember('admin')
      const browser = await signedIn(app, teacher)
      await app.ctx.transaction((tx) =>
        insertProviderAccount(tx, {
          provider: label.split('/').at(-1) ?? '',
          subject: teacher.id,
          user_id: teacher.id,
          created_at: clock.now(),
        }),
      )
      await require({ requires_provider: 1 })
      expect((await internalClient(browser).get('/tokens')).status).toBe(200)
    })

    it('refuses a passkey with the same page as a password', async () => {
      const passkey = await withPasskey(app, await newMember('admin'))
      await require({ requires_provider: 1 })
      const { status, browser } = await signInByPasskey(app, passkey)
      expect([status, await browser.signedInAs()]).toEqual([403, undefined])
    })

    it('mails no link for a forgotten password', async () => {
      const linksOf = async (user: string) => {
        const member = await app.person(user, { organization: school, email: `${user}@school.example` })
        const browser = browserAt(app.url)
        await browser.submit(await browser.open('/auth/password'), '/auth/password', { username: user })
        await app.jobsDone()
        const rows = app.ctx.db.read.selectFrom('password_resets').select('hash')
        return (await rows.where('user_id', '=', member.id).execute()).length
      }
      expect(await linksOf(`member${++n}`)).toBe(0)
      await require({ requires_provider: 0 })
      expect(await linksOf(`member${++n}`)).toBe(1)
    })

    it('allows no account with a password by invitation code', async () => {
      await require({ allows_sign_up_by_code: 1 })
      const ada = await newMember('admin')
      const invitation = await ada.post('/organizations/invitations', {})
      const path = new URL(invitation.body.htmlUrl).pathname
      const browser = browserAt(app.url)
      expect((await browser.open(path)).text).not.toContain('new-password')
      const body = new URLSearchParams({ username: `member${++n}`, password })
      expect((await browser.open(path, { method: 'POST', body })).status).toBe(404)
      await require({ requires_provider: 0 })
      expect((await browser.open(path)).text).toContain('new-password')
    })
  })
})
