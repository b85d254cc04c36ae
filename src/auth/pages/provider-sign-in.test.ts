import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, useApp } from '../../../test/support/app.ts'
import { auditOf } from '../../../test/support/audit.ts'
import { type Browser, browserAt } from '../../../test/support/browser.ts'
import { newClass } from '../../../test/support/classes.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import {
  addProvider,
  cameBack as signInAtProvider,
  signInWithProvider,
  type RunningProvider,
  startOpenIdProvider,
} from '../../../test/support/openid-provider.ts'
import { limit } from '../../../test/support/organizations.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { findSession } from '../sessions/store.ts'
import { deleteProvider, deleteProviderAccountsOf } from '../providers/store.ts'
import type { AccountChange } from '../../features/people/users/store.ts'
import { updateUser } from '../../features/people/users/store.ts'
import { hashToken } from '../../lib/tokens.ts'
import { secretBox } from '../../platform/secrets/secret-box.ts'
import { sealClientSecret } from '../providers/client-secrets.store.ts'

const cookie = 'partita_session'

describeEachDatabase('sign-in with a provider', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let provider: RunningProvider
  let organization: string
  let ada: Person
  let n = 0

  beforeAll(async () => {
    provider = await startOpenIdProvider(app, ['school', 'open', 'other', 'small'])
    organization = await app.organization('Riverside')
    ada = await app.person('ada', { organization, role: 'admin' })
    const at = { organization, issuer: provider.issuer }
    await addProvider(app, { name: 'school', ...at })
    const roles = { roleClaim: 'groups', teacherValues: ['staff'], adminValues: ['office'] }
    await addProvider(app, { name: 'open', ...at, isListed: false, createsAccounts: true, ...roles })
    await addProvider(app, { name: 'other', ...at, isListed: false, domains: ['riverside.example'] })
  })
  afterAll(() => provider?.close())

  /** Creates a user at the school's provider and returns its subject. */
  function createProviderUser(email: string, claims: object = {}): string {
    const subject = `subject-${++n}`
    provider.people.set(subject, { email, email_verified: true, ...claims })
    return subject
  }
  const createMember = (username: string, overrides: object = {}) =>
    app.person(username, { organization, email: `${username}@riverside.example`, ...overrides })
  const change = (id: string, change: AccountChange) =>
    app.ctx.transaction((tx) => updateUser(tx, id, change))
  async function signedInUser(browser: Browser): Promise<string | undefined> {
    const hash = hashToken(browser.cookies.get(cookie) ?? '')
    return (await findSession(app.ctx.db.read, { hash, now: clock.now() }))?.user_id
  }
  /** Signs in with a new browser and returns the user, or the text of the page if the sign-in failed. */
  async function signInAs(name: string, subject: string, next?: string) {
    const browser = browserAt(app.url)
    const { status, text } = await signInWithProvider(provider, browser, name, subject, next)
    return { status, text, user: await signedInUser(browser), browser }
  }
  const account = async (id: string | undefined) =>
    app.ctx.db.read
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id ?? '')
      .executeTakeFirstOrThrow()

  describe('the sign-in page', () => {
    it('links to the listed providers in the language of the browser, without requests to them', async () => {
      const requests = provider.requests.length
      const page = await browserAt(app.url, { 'Accept-Language': 'de' }).open(
        '/auth/signin?next=/account/developer/apps',
      )
      await expectValidHtml(page.text)
      expect(page.text).toContain(
        '<a class="button" href="/auth/oidc/school?next=%2Faccount%2Fdeveloper%2Fapps">Mit School account anmelden</a>',
      )
      expect(page.text).not.toContain('/auth/oidc/open')
      expect(provider.requests).toHaveLength(requests)
    })
  })

  it('finds a member by the verified address first, and by the subject afterwards', async () => {
    const sam = await createMember('sam')
    const subject = createProviderUser('Sam@Riverside.example')
    const first = await signInAs('school', subject)
    expect([first.status, first.user]).toEqual([200, sam.id])
    provider.people.set(subject, { email: 'samuel@elsewhere.example', email_verified: false })
    await change(sam.id, { email: null, email_key: null })
    expect((await signInAs('school', subject)).user).toBe(sam.id)
    const event = { organization, actor: sam.id, details: { provider: 'school' } }
    const signedIn = { ...event, action: 'user.signed-in-by-provider' }
    expect(await auditOf(app, sam.id)).toEqual([
      { ...event, action: 'user.linked-to-provider' },
      signedIn,
      signedIn,
    ])
  })

  it('ends the password that a teacher has set, with its sessions, when a member first signs in by it', async () => {
    const tess = await createMember('tess', { role: 'teacher' })
    const pupil = await createMember('pupil')
    await newClass(app, organization, { teachers: [tess], students: [pupil] })
    const reset = () => tess.put(`/organizations/users/${pupil.id}`, { password })
    expect((await reset()).status).toBe(200)
    const taken = await signedIn(app, pupil)
    expect((await signInAs('school', createProviderUser('pupil@riverside.example'))).user).toBe(pupil.id)
    expect(await taken.signedInAs()).toBe(undefined)
    await expect(signedIn(app, pupil)).rejects.toThrow('not signed in')
    expect((await reset()).body.code).toBe('STUDENT_USES_PROVIDER')
  })

  it('creates a new session like a password, and continues to the destination', async () => {
    const sol = await createMember('sol')
    const browser = await signedIn(app, await createMember('mia'))
    const before = browser.cookies.get(cookie) ?? ''
    await browser.open('/auth/signout', { method: 'POST' })
    const page = await signInWithProvider(
      provider,
      browser,
      'school',
      createProviderUser('sol@riverside.example'),
      '/account',
    )
    expect([page.url, await browser.signedInAs()]).toEqual([`${app.url}/account`, 'sol'])
    const token = browser.cookies.get(cookie) ?? ''
    expect(token).not.toBe(before)
    const session = await findSession(app.ctx.db.read, { hash: hashToken(token), now: clock.now() })
    expect(session).toMatchObject({ user_id: sol.id, isByLink: false })
    expect(browser.cookies.has('partita_provider_signin')).toBe(false)
    // A signed-in user is redirected immediately.
    const requests = provider.requests.length
    expect((await browser.open('/auth/oidc/school?next=/healthz')).status).toBe(200)
    expect(provider.requests).toHaveLength(requests)
  })

  it('logs which setting must have the key of a client secret, and is no failure of the provider', async () => {
    await addProvider(app, { name: 'keyless', organization, issuer: provider.issuer })
    const otherKey = { secrets: secretBox(() => [randomBytes(32)]) }
    const client_secret = sealClientSecret(otherKey, 'keyless', 'a client secret')
    await app.ctx.transaction((tx) =>
      tx.updateTable('sign_in_providers').set({ client_secret }).where('name', '=', 'keyless').execute(),
    )
    app.expectLog(/The key of the secret of sign-in provider keyless .* into SECRETS_KEY/)
    expect((await fetch(`${app.url}/auth/oidc/keyless`)).status).toBe(500)
    expect((await fetch(`${app.url}/auth/signin`)).status).toBe(200)
    await app.ctx.transaction((tx) => deleteProvider(tx, 'keyless'))
  })

  it('keeps the secrets of the sign-in in an HttpOnly cookie and not in the database', async () => {
    const response = await fetch(`${app.url}/auth/oidc/school`, { redirect: 'manual' })
    const [, signInToken = ''] =
      /^partita_provider_signin=(partita_provider_signin_\w{46}); Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/.exec(
        response.headers.get('set-cookie') ?? '',
      ) ?? []
    const request = new URL(response.headers.get('location') ?? '')
    expect(Object.fromEntries(request.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: `${app.url}/auth/oidc/school/callback`,
    })
    const rows = JSON.stringify(await app.ctx.db.read.selectFrom('provider_sign_ins').selectAll().execute())
    expect(rows).toContain(hashToken(signInToken))
    for (const secret of [
      signInToken,
      request.searchParams.get('state'),
      request.searchParams.get('nonce'),
    ]) {
      expect(rows).not.toContain(secret)
    }
    clock.forward(60 * minute)
    await app.jobsDone()
    expect(await app.ctx.db.read.selectFrom('provider_sign_ins').selectAll().execute()).toEqual([])
  })

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/x//evil.example',
  ])('does not redirect to another site by %j', async (next) => {
    const username = `next${++n}`
    const user = await createMember(username)
    const browser = browserAt(app.url)
    const page = await signInWithProvider(
      provider,
      browser,
      'school',
      createProviderUser(`${username}@riverside.example`),
      next,
    )
    expect([page.status, await signedInUser(browser)]).toEqual([200, user.id])
    expect(new URL(page.url).href).toBe(`${app.url}/`)
  })

  describe('shows an error and takes over no account', () => {
    async function expectRefused(subject: string, message: string, status = 403, name = 'school') {
      const { user, text, ...shown } = await signInAs(name, subject)
      expect([shown.status, user]).toEqual([status, undefined])
      expect(text).toContain(message)
      await expectValidHtml(text)
    }
    const noAccount = 'you have no account at Riverside'

    it('for an unknown user', async () => {
      await expectRefused(createProviderUser('nobody@riverside.example'), noAccount)
    })

    it('if the provider has not verified the address', async () => {
      await createMember('una')
      for (const email_verified of [false, undefined]) {
        await expectRefused(createProviderUser('una@riverside.example', { email_verified }), noAccount)
      }
    })

    it('if the account is individual, of another organization, or a test student', async () => {
      await app.person('otto', { email: 'otto@riverside.example' })
      const otherOrganization = await app.organization('Elsewhere')
      await app.person('eve', { organization: otherOrganization, email: 'eve@riverside.example' })
      await change((await createMember('testy')).id, { is_test_student: 1 })
      for (const name of ['otto', 'eve', 'testy']) {
        await expectRefused(createProviderUser(`${name}@riverside.example`), noAccount)
      }
    })

    it('if the address of the account is neither verified nor vouched for', async () => {
      await change((await createMember('vic')).id, { email_vouched: 0 })
      await expectRefused(createProviderUser('vic@riverside.example'), noAccount)
    })

    it('if several accounts have the address', async () => {
      for (const name of ['twin1', 'twin2']) await createMember(name, { email: 'twin@riverside.example' })
      await expectRefused(createProviderUser('twin@riverside.example'), 'We cannot tell which account', 409)
    })

    it('if the address belonged to another subject, until the link is deleted', async () => {
      const mueller = await createMember('mueller')
      expect((await signInAs('school', createProviderUser('mueller@riverside.example'))).user).toBe(
        mueller.id,
      )
      const namesake = createProviderUser('mueller@riverside.example')
      await expectRefused(namesake, 'We cannot tell which account', 409)
      await app.ctx.transaction((tx) => deleteProviderAccountsOf(tx, mueller.id))
      expect((await signInAs('school', namesake)).user).toBe(mueller.id)
    })

    it('for a removed user, by link and by address, even if the provider creates accounts', async () => {
      const [rita, rob] = [await createMember('rita'), await createMember('rob')]
      const linked = createProviderUser('rita@riverside.example')
      const { browser } = await signInAs('open', linked)
      for (const { id } of [rita, rob])
        expect((await ada.delete(`/organizations/users/${id}`)).status).toBe(204)
      expect(await signedInUser(browser)).toBeUndefined()
      await expectRefused(linked, noAccount, 403, 'open')
      await expectRefused(createProviderUser('rob@riverside.example'), noAccount, 403, 'open')
    })

    it('for a user who has left the organization', async () => {
      const leo = await createMember('leo')
      const subject = createProviderUser('leo@riverside.example')
      expect((await signInAs('school', subject)).user).toBe(leo.id)
      await ada.delete(`/organizations/users/${leo.id}?convertToIndividual=true`)
      await expectRefused(subject, noAccount)
    })

    it('for an address outside the domains of the provider', async () => {
      const dora = await createMember('dora', { email: 'dora@home.example' })
      const subject = createProviderUser('dora@home.example')
      await expectRefused(subject, 'Only accounts of riverside.example', 403, 'other')
      await change(dora.id, { email: 'dora@riverside.example', email_key: 'dora@riverside.example' })
      provider.people.set(subject, { email: 'dora@riverside.example', email_verified: true })
      expect((await signInAs('other', subject)).user).toBe(dora.id)
      provider.people.set(subject, { email: 'dora@home.example', email_verified: true })
      await expectRefused(subject, 'Only accounts of riverside.example', 403, 'other')
    })

    it('if the provider refuses the sign-in', async () => {
      app.expectLog(/refused the sign-in \(access_denied\)/)
      const page = await signInWithProvider(provider, browserAt(app.url), 'school')
      expect([page.status, page.text.includes('School account did not sign you in')]).toEqual([403, true])
    })

    it('for an unknown provider', async () => {
      for (const path of ['/auth/oidc/none', '/auth/oidc/none/callback?code=x&state=y']) {
        const page = await browserAt(app.url).open(path)
        expect([page.status, page.text.includes('This sign-in service does not exist')]).toEqual([404, true])
      }
    })
  })

  describe('creates an account if the rules permit it', () => {
    it('with the names and address of the claims and without a password', async () => {
      await createMember('nina')
      const names = { preferred_username: 'nina@riverside.example', given_name: 'Nina', family_name: 'Ngata' }
      const { user, status } = await signInAs(
        'open',
        createProviderUser('n.ngata@riverside.example', { ...names, locale: 'fr-CA' }),
      )
      expect(status).toBe(200)
      expect(await account(user)).toMatchObject({
        username: 'nina2',
        firstname: 'Nina',
        lastname: 'Ngata',
        email: 'n.ngata@riverside.example',
        email_vouched: 1,
        email_verified: 0,
        organization_id: organization,
        organization_role: 'user',
        locale: 'fr',
        password_hash: '',
      })
      expect((await auditOf(app, user ?? '')).map(({ action }) => action)).toEqual([
        'user.created',
        'user.linked-to-provider',
        'user.signed-in-by-provider',
      ])
      for (const word of ['', password]) {
        const body = new URLSearchParams({ username: 'nina2', password: word })
        expect((await fetch(`${app.url}/auth/signin`, { method: 'POST', body })).status).toBe(401)
      }
    })

    it.each([
      [['staff', 'choir'], 'teacher'],
      ['office', 'admin'],
      [['pupils'], 'user'],
      [undefined, 'user'],
    ])('for the role claim %j as %s; later sign-ins do not change the role', async (groups, role) => {
      const subject = createProviderUser(`role${++n}@riverside.example`, { groups })
      const { user } = await signInAs('open', subject)
      expect((await account(user)).organization_role).toBe(role)
      if (role !== 'teacher') return
      await ada.put(`/organizations/users/${user}`, { organizationRole: 'user' })
      expect((await signInAs('open', subject)).user).toBe(user)
      expect((await account(user)).organization_role).toBe('user')
    })

    it('without an unproven address, and with a generated username', async () => {
      const subject = createProviderUser('someone@riverside.example', {
        email_verified: false,
        preferred_username: ' @ \u0000 ',
      })
      const { user } = await signInAs('open', subject)
      expect(await account(user)).toMatchObject({ username: 'member', email: null, firstname: null })
      expect((await signInAs('open', subject)).user).toBe(user)
    })

    it('once for two concurrent sign-ins of a user', async () => {
      const subject = createProviderUser('hasty@riverside.example')
      const arrivals = await Promise.all([signInAs('open', subject), signInAs('open', subject)])
      const [one, other] = arrivals.map(({ user }) => user)
      expect([one === other, typeof one]).toEqual([true, 'string'])
    })

    it('while there is a free seat', async () => {
      const small = await app.organization('Small')
      await limit(app, small, { max_seats: 1 })
      await addProvider(app, {
        name: 'small',
        organization: small,
        issuer: provider.issuer,
        createsAccounts: true,
      })
      expect((await signInAs('small', createProviderUser('one@small.example'))).status).toBe(200)
      const { status, user, text } = await signInAs('small', createProviderUser('two@small.example'))
      expect([status, user, text.includes('Small has reached its maximum number of members')]).toEqual([
        402,
        undefined,
        true,
      ])
    })
  })

  describe('the callback', () => {
    const path = '/auth/oidc/school?next=/healthz'
    const expectNotStarted = async (browser: Browser, url: string) => {
      const page = await browser.open(url)
      expect([
        page.status,
        page.text.includes('started in another browser'),
        await signedInUser(browser),
      ]).toEqual([400, true, undefined])
      await expectValidHtml(page.text)
    }

    it('signs in only the browser that started it, and only once', async () => {
      const ben = await createMember('ben')
      const browser = browserAt(app.url)
      const callbackUrl = await signInAtProvider(
        provider,
        browser,
        path,
        createProviderUser('ben@riverside.example'),
      )
      const victim = browserAt(app.url)
      await expectNotStarted(victim, callbackUrl)
      await victim.open(path)
      await expectNotStarted(victim, callbackUrl)
      const signInToken = browser.cookies.get('partita_provider_signin') ?? ''
      expect((await browser.open(callbackUrl)).status).toBe(200)
      expect(await signedInUser(browser)).toBe(ben.id)
      const replayed = await fetch(callbackUrl, {
        headers: { Cookie: `partita_provider_signin=${signInToken}` },
        redirect: 'manual',
      })
      expect([replayed.status, replayed.headers.get('set-cookie')]).toEqual([400, null])
    })

    it('is refused after ten minutes', async () => {
      const browser = browserAt(app.url)
      const callbackUrl = await signInAtProvider(
        provider,
        browser,
        path,
        createProviderUser('ben@riverside.example'),
      )
      clock.forward(10 * minute)
      await expectNotStarted(browser, callbackUrl)
    })

    it('is refused with a wrong state, two states, or from another provider, and the sign-in stays open', async () => {
      const cleo = await createMember('cleo')
      const browser = browserAt(app.url)
      const callbackUrl = await signInAtProvider(
        provider,
        browser,
        path,
        createProviderUser('cleo@riverside.example'),
      )
      const forged = new URL(callbackUrl)
      forged.searchParams.set('state', 'x')
      await expectNotStarted(browser, forged.href)
      await expectNotStarted(browser, `${callbackUrl}&state=x`)
      await expectNotStarted(browser, callbackUrl.replace('/school/', '/open/'))
      expect((await browser.open(callbackUrl)).status).toBe(200)
      expect(await signedInUser(browser)).toBe(cleo.id)
    })

    it.each([
      ['the code of another sign-in', 'code', async (other: string) => other],
      ['another issuer', 'iss', async () => 'https://evil.example'],
    ])('is refused with %s', async (_what, parameter, forged) => {
      app.expectLog(/that could not be verified/)
      const other = await signInAtProvider(
        provider,
        browserAt(app.url),
        path,
        createProviderUser('ben@riverside.example'),
      )
      const browser = browserAt(app.url)
      const callbackUrl = new URL(
        await signInAtProvider(provider, browser, path, createProviderUser('ben@riverside.example')),
      )
      callbackUrl.searchParams.set(parameter, await forged(new URL(other).searchParams.get(parameter) ?? ''))
      const page = await browser.open(callbackUrl.href)
      expect([page.status, await signedInUser(browser)]).toEqual([502, undefined])
      expect(page.text).toContain('could not be verified')
    })
  })

  it('ends the sessions of the users of a removed provider and keeps their accounts', async () => {
    const { issuer } = provider
    await addProvider(app, { name: 'gone', organization, issuer, isListed: false })
    const tom = await createMember('tom')
    const { user, browser } = await signInAs('other', createProviderUser('tom@riverside.example'))
    expect(user).toBe(tom.id)
    await app.ctx.transaction((tx) => deleteProvider(tx, 'other'))
    expect(await signedInUser(browser)).toBeUndefined()
    expect((await tom.get('/me')).status).toBe(200)
    expect((await browserAt(app.url).open('/auth/oidc/other')).status).toBe(404)
  })

  it('shows an error while the provider does not respond, and tries it again later', async () => {
    app.expectLog(/The provider does not respond/)
    const { issuer } = provider
    await provider.close()
    await addProvider(app, { name: 'down', organization, issuer })
    const signInWhileDown = async () => {
      const page = await browserAt(app.url).open('/auth/oidc/down')
      expect([page.status, page.text.includes('School account is not responding')]).toEqual([502, true])
      await expectValidHtml(page.text)
    }
    await signInWhileDown()
    expect((await signedIn(app, ada)).cookies.has(cookie)).toBe(true)
    provider = await startOpenIdProvider(app, ['down'], issuer)
    await signInWhileDown()
    expect(provider.requests).toEqual([])
    clock.forward(10_000)
    await createMember('uli')
    expect((await signInAs('down', createProviderUser('uli@riverside.example'))).status).toBe(200)
  })
})
