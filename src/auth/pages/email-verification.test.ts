import { describe, expect, it } from 'vitest'
import { internalClient } from '../../../test/support/client.ts'
import { type Person, useApp } from '../../../test/support/app.ts'
import { actsOn } from '../../../test/support/audit.ts'
import { type Browser, browserAt } from '../../../test/support/browser.ts'
import { testClock } from '../../../test/support/clock.ts'
import { day, minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { emptyPiano } from '../../../test/support/scores.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { revokeAllSignIns } from '../sessions/revocation.ts'

const mailServer = useMailServer()

describeEachDatabase('the verification of an address', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings({ signUp: 'true' }), { clock })
  let count = 0
  const newName = () => `person${++count}`

  /** Creates a signed-in user whose address is neither verified nor vouched for. */
  async function createSignedInUser(
    email: string | undefined = undefined,
  ): Promise<{ person: Person; browser: Browser }> {
    const person = await app.person(newName(), email === undefined ? {} : { email })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ email_vouched: 0 }).where('id', '=', person.id).execute(),
    )
    return { person, browser: await signedIn(app, person) }
  }
  const row = ({ id }: { id: string }) =>
    app.ctx.db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  /** Returns the path of the link in the last mail to an address. */
  const linkTo = (email: string) => {
    const mail = mailServer.mails.findLast((mail) =>
      mail.toLowerCase().includes(`to: ${email.toLowerCase()}`),
    )
    return /\/auth\/email\/\w+/.exec(readable(mail))?.[0] ?? ''
  }
  async function requestVerification(browser: Browser, email: string): Promise<string> {
    const { status, body } = await internalClient(browser).put('/security/email', { email, password })
    expect([status, body.email.waiting]).toEqual([200, email])
    await app.jobsDone()
    return linkTo(email)
  }
  const signInAs = (username: string) =>
    fetch(`${app.url}/auth/signin`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ username, password }),
    }).then(({ status }) => status)

  it('requires the mailed link and the button; then the user can sign in with the address, and the old address is notified', async () => {
    const { person, browser } = await createSignedInUser('old@example.com')
    const link = await requestVerification(browser, 'New@Example.com')
    expect(link).toMatch(/^\/auth\/email\/partita_email_\w{46}$/)
    const notice = readable(mailServer.mails.findLast((mail) => mail.includes('To: old@example.com')))
    expect(notice).toContain('change of the e-mail address')
    const tables = [
      await app.ctx.db.read.selectFrom('email_verifications').selectAll().execute(),
      await app.ctx.db.read.selectFrom('jobs').selectAll().execute(),
    ]
    expect(JSON.stringify(tables)).not.toContain(link.split('/').at(-1))

    // Opening the link, as mail scanners do, changes nothing.
    for (let n = 0; n < 2; n++) {
      const page = await browser.open(link)
      await expectValidHtml(page.text)
      expect(page.text).toContain('Is New@Example.com your address?')
    }
    expect(await row(person)).toMatchObject({ email: 'old@example.com', email_verified: 0 })
    expect(await signInAs('new@example.com')).toBe(401)
    const after = await browser.submit(await browser.open(link), link)
    await expectValidHtml(after.text)
    expect(after.text).toContain('This is now the address of your account')
    expect(await row(person)).toMatchObject({
      email: 'New@Example.com',
      email_key: 'new@example.com',
      email_verified: 1,
      email_vouched: 0,
      search_key: `${person.username}\nnew@example.com`,
    })
    expect(await signInAs('new@example.com')).toBe(303)
    expect((await person.get('/me')).body.isEmailVerified).toBe(true)
    expect((await actsOn(app, person.id)).map(({ action }) => action)).toEqual(['user.email-verified'])
    expect((await browser.open(link)).status).toBe(410)
    expect((await browser.open(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(410)
  })

  it('changes a username that is the previous address', async () => {
    for (const [before, after, username] of [
      ['tim@a.example', 'tim@b.example', 'tim@b.example'],
      ['tom@a.example', 'tom.of.the.very.long.name@music.example', 'tom.of.the.very.long.nam'],
    ] as const) {
      const person = await app.person(before, { email: before })
      const browser = await signedIn(app, person)
      const link = await requestVerification(browser, after)
      expect((await row(person))?.username).toBe(before)
      const page = await browser.submit(await browser.open(link), link)
      await expectValidHtml(page.text)
      expect(page.text).toContain(`Your new username is ${username}.`)
      expect(await row(person)).toMatchObject({ username, email: after, email_verified: 1 })
      expect(await signInAs(username)).toBe(303)
      expect(await actsOn(app, person.id)).toContainEqual(
        expect.objectContaining({ action: 'user.email-verified', details: { fields: ['username'] } }),
      )
    }
  })

  it('gives access to scores that are shared with the address', async () => {
    const tess = await app.person('tess')
    const { id } = (await tess.post('/scores', { ...emptyPiano(), privacy: 'private' })).body
    await tess.post(`/scores/${id}/collaborators`, { userEmail: 'shared@example.com' })
    const { person, browser } = await createSignedInUser('shared@example.com')
    expect((await person.get(`/scores/${id}`)).status).toBe(404)
    const link = await requestVerification(browser, 'shared@example.com')
    await browser.submit(await browser.open(link), link)
    expect((await person.get(`/scores/${id}`)).status).toBe(200)
  })

  it('is requested on sign-up', async () => {
    const browser = browserAt(app.url, { 'Accept-Language': 'de' })
    const form = { username: 'nina', email: 'nina@example.com', password }
    await browser.submit(await browser.open('/auth/signup'), '/auth/signup', form)
    await app.jobsDone()
    const mail = readable(mailServer.mails.at(-1))
    expect(mail).toContain('To: nina@example.com')
    expect(mail).toContain('Konto nina')
    const link = linkTo('nina@example.com')
    expect((await browser.submit(await browser.open(link), link)).text).toContain('Das ist jetzt die Adresse')
    expect(await signInAs('nina@example.com')).toBe(303)
  })

  it('sends a signed-out user to the sign-in page and back', async () => {
    const { person, browser } = await createSignedInUser()
    const link = await requestVerification(browser, 'later@example.com')
    const other = browserAt(app.url)
    const form = await other.open(link)
    const page = await other.submit(form, '/auth/signin', { username: person.username, password })
    expect(page.url).toBe(app.url + link)
    expect((await other.submit(page, link)).status).toBe(200)
    expect(await row(person)).toMatchObject({ email_verified: 1 })
  })

  it('works only for the account that requested it, so that no user can be tricked into giving an address away', async () => {
    const attacker = await createSignedInUser()
    const owner = await createSignedInUser('prey@example.com')
    const link = await requestVerification(attacker.browser, 'prey@example.com')
    const page = await owner.browser.open(link)
    await expectValidHtml(page.text)
    expect([page.status, page.text.includes('<form method="post" action="/auth/email')]).toEqual([403, false])
    expect((await owner.browser.open(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(403)
    for (const { person } of [attacker, owner]) expect(await row(person)).toMatchObject({ email_verified: 0 })
  })

  it('is refused for the second of two accounts, also concurrently', async () => {
    const all = await Promise.all([1, 2].map(() => createSignedInUser()))
    const links: string[] = []
    for (const { browser } of all) links.push(await requestVerification(browser, 'both@example.com'))
    const pages = await Promise.all(all.map(({ browser }, index) => browser.open(links[index] ?? '')))
    const answers = await Promise.all(
      all.map(({ browser }, index) => browser.submit(pages[index] as (typeof pages)[0], links[index] ?? '')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const rows = await Promise.all(all.map(({ person }) => row(person)))
    expect(rows.map((user) => user?.email_verified).sort()).toEqual([0, 1])
    expect(answers.find(({ status }) => status === 409)?.text).toContain(
      'Another account already has this address',
    )
    expect(await signInAs('both@example.com')).toBe(303)
  })

  it('allows the owner to sign in with the address even if other accounts claim it', async () => {
    const { browser } = await createSignedInUser()
    const link = await requestVerification(browser, 'mine@example.com')
    await browser.submit(await browser.open(link), link)
    const organization = await app.organization()
    await app.person(newName(), { organization, email: 'mine@example.com', password: 'another one' })
    expect(await signInAs('mine@example.com')).toBe(303)
  })

  describe('is invalid', () => {
    it('after a day', async () => {
      const { browser, person } = await createSignedInUser()
      const link = await requestVerification(browser, 'slow@example.com')
      clock.forward(day - 1)
      expect((await browser.open(link)).status).toBe(200)
      clock.forward(1)
      const late = await browser.open(link)
      await expectValidHtml(late.text)
      expect(late.status).toBe(410)
      await app.jobsDone()
      const pending = app.ctx.db.read
        .selectFrom('email_verifications')
        .select('hash')
        .where('user_id', '=', person.id)
      expect(await pending.execute()).toEqual([])
    })

    it('after another address was requested', async () => {
      const { browser, person } = await createSignedInUser()
      const first = await requestVerification(browser, 'first@example.com')
      const second = await requestVerification(browser, 'second@example.com')
      expect((await browser.open(first)).status).toBe(410)
      await browser.submit(await browser.open(second), second)
      expect(await row(person)).toMatchObject({ email: 'second@example.com' })
    })

    it('after the password was changed, because an intruder may have requested it', async () => {
      const { browser, person } = await createSignedInUser()
      const link = await requestVerification(browser, 'theirs@example.com')
      await app.ctx.transaction((tx) => revokeAllSignIns(app.ctx, tx, person.id))
      const again = await signedIn(app, person)
      expect((await again.open(link)).status).toBe(410)
    })

    it('in a cross-site request', async () => {
      const { browser, person } = await createSignedInUser()
      const link = await requestVerification(browser, 'site@example.com')
      const headers = { Origin: 'https://evil.example' }
      expect((await browser.open(link, { method: 'POST', headers })).status).toBe(403)
      expect(await row(person)).toMatchObject({ email: null })
    })
  })

  describe('is refused', () => {
    const ask = async (fields: object) => {
      const { browser } = await createSignedInUser('here@example.com')
      const before = mailServer.mails.length
      const { status, body } = await internalClient(browser).put('/security/email', { password, ...fields })
      await app.jobsDone()
      expect(mailServer.mails).toHaveLength(before)
      return [status, body.code, body.param]
    }

    it('without the password, or for an invalid address', async () => {
      expect(await ask({ email: 'x@example.com', password: 'wrong' })).toEqual([
        403,
        'WRONG_PASSWORD',
        undefined,
      ])
      expect(await ask({ email: 'nowhere' })).toEqual([400, 'INVALID_PARAMETER', 'email'])
      expect(await ask({ email: ' ' })).toEqual([400, 'INVALID_PARAMETER', 'email'])
    })

    it('more than three times in 15 minutes', async () => {
      const { browser } = await createSignedInUser()
      for (let n = 0; n < 3; n++) await requestVerification(browser, `n${n}@example.com`)
      const { status, body } = await internalClient(browser).put('/security/email', {
        email: 'n4@example.com',
        password,
      })
      expect([status, body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
      clock.forward(15 * minute)
      await requestVerification(browser, 'n4@example.com')
    })

    it('more than five times a day for one address by accounts that do not own it', async () => {
      const email = `flooded-${databases.dialect}@example.com`
      const mails = () => mailServer.mails.filter((mail) => mail.includes(`To: ${email}`)).length
      const owner = await createSignedInUser(email)
      for (let n = 0; n < 6; n++) {
        const browser = browserAt(app.url)
        const form = { username: newName(), email, password }
        await browser.submit(await browser.open('/auth/signup'), '/auth/signup', form)
        // The account is created anyway.
        expect(browser.cookies.has('partita_session')).toBe(true)
      }
      await app.jobsDone()
      expect(mails()).toBe(5)
      const { browser } = await createSignedInUser()
      const change = { email: email.toUpperCase(), password }
      const refused = await internalClient(browser).put('/security/email', change)
      expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
      expect(refused.headers.get('retry-after')).toBe('86400')
      // The account that owned the address first has its own limit of five.
      for (let n = 0; n < 6; n++) {
        expect((await internalClient(owner.browser).put('/security/email', change)).status).toBe(
          n < 5 ? 200 : 429,
        )
        clock.forward(15 * minute)
      }
      clock.forward(day)
      const again = await createSignedInUser()
      expect((await internalClient(again.browser).put('/security/email', change)).status).toBe(200)
    })
  })
})

describeEachDatabase('without mail', (databases) => {
  const app = useApp(databases, { signUp: 'true' })

  it('no address is verified, and no page says that a verification is pending', async () => {
    const browser = browserAt(app.url)
    const form = { username: 'nina', email: 'nina@example.com', password }
    await browser.submit(await browser.open('/auth/signup'), '/auth/signup', form)
    const account = internalClient(browser)
    const { body } = await account.get('/security')
    expect(body.email).toEqual({
      address: 'nina@example.com',
      isVerified: false,
      waiting: null,
      canBeVerified: false,
    })
    const refused = await account.put('/security/email', { email: 'other@example.com', password })
    expect([refused.status, refused.body.code]).toEqual([409, 'NO_MAILS_SENT'])
  })
})
