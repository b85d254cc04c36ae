import { describe, expect, it } from 'vitest'
import { accountIn } from '../../test/support/account.ts'
import { type Person, useApp } from '../../test/support/app.ts'
import { actsOn } from '../../test/support/audit.ts'
import { type Browser, browserAt } from '../../test/support/browser.ts'
import { day, minute, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { readable, useMailServer } from '../../test/support/mail-server.ts'
import { password, signedIn } from '../../test/support/oauth.ts'
import { emptyPiano } from '../../test/support/scores.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'
import { endSignIns } from '../features/sessions/ending.ts'

const mailServer = useMailServer()

describeEachDatabase('showing that an address is one’s own', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings({ signUp: 'true' }), { clock })
  let count = 0
  const newName = () => `person${++count}`

  /** Somebody whose address nobody vouches for, signed in. */
  async function somebody(email: string | undefined = undefined): Promise<{ person: Person; browser: Browser }> {
    const person = await app.person(newName(), email === undefined ? {} : { email })
    await app.ctx.transaction((tx) =>
      tx.updateTable('users').set({ email_vouched: 0 }).where('id', '=', person.id).execute(),
    )
    return { person, browser: await signedIn(app, person) }
  }
  const row = ({ id }: { id: string }) =>
    app.ctx.db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  /** The path of the link in the last mail to an address. */
  const linkTo = (email: string) => {
    const mail = mailServer.mails.findLast((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`))
    return /\/auth\/email\/\w+/.exec(readable(mail))?.[0] ?? ''
  }
  async function askFor(browser: Browser, email: string): Promise<string> {
    const { status, body } = await accountIn(browser).put('/security/email', { email, password })
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

  it('takes a link that is mailed and a button; then one signs in by it, and is told at the old one', async () => {
    const { person, browser } = await somebody('old@example.com')
    const link = await askFor(browser, 'New@Example.com')
    expect(link).toMatch(/^\/auth\/email\/partita_email_\w{46}$/)
    const notice = readable(mailServer.mails.findLast((mail) => mail.includes('To: old@example.com')))
    expect(notice).toContain('wants the account to have another e-mail address')
    const tables = [
      await app.ctx.db.read.selectFrom('email_verifications').selectAll().execute(),
      await app.ctx.db.read.selectFrom('jobs').selectAll().execute(),
    ]
    expect(JSON.stringify(tables)).not.toContain(link.split('/').at(-1))

    // To look at it, as programs do, changes nothing.
    for (let n = 0; n < 2; n++) {
      const page = await browser.open(link)
      await expectValidHtml(page.text)
      expect(page.text).toContain('Is New@Example.com your address?')
    }
    expect(await row(person)).toMatchObject({ email: 'old@example.com', email_verified: 0 })
    expect(await signInAs('new@example.com')).toBe(401)
    const after = await browser.submit(await browser.open(link), link)
    await expectValidHtml(after.text)
    expect(after.text).toContain('It is the address of your account now')
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

  it('goes with a username that was the address of before', async () => {
    for (const [before, after, username] of [
      ['tim@a.example', 'tim@b.example', 'tim@b.example'],
      ['tom@a.example', 'tom.of.the.very.long.name@music.example', 'tom.of.the.very.long.nam'],
    ] as const) {
      const person = await app.person(before, { email: before })
      const browser = await signedIn(app, person)
      const link = await askFor(browser, after)
      expect((await row(person))?.username).toBe(before)
      const page = await browser.submit(await browser.open(link), link)
      await expectValidHtml(page.text)
      expect(page.text).toContain(`It is ${username} now.`)
      expect(await row(person)).toMatchObject({ username, email: after, email_verified: 1 })
      expect(await signInAs(username)).toBe(303)
      expect(await actsOn(app, person.id)).toContainEqual(
        expect.objectContaining({ action: 'user.email-verified', details: { fields: ['username'] } }),
      )
    }
  })

  it('opens what was shared with the address', async () => {
    const tess = await app.person('tess')
    const { id } = (await tess.post('/scores', { ...emptyPiano(), privacy: 'private' })).body
    await tess.post(`/scores/${id}/collaborators`, { userEmail: 'shared@example.com' })
    const { person, browser } = await somebody('shared@example.com')
    expect((await person.get(`/scores/${id}`)).status).toBe(404)
    const link = await askFor(browser, 'shared@example.com')
    await browser.submit(await browser.open(link), link)
    expect((await person.get(`/scores/${id}`)).status).toBe(200)
  })

  it('is asked of who signs up', async () => {
    const browser = browserAt(app.url, { 'Accept-Language': 'de' })
    const form = { username: 'nina', email: 'nina@example.com', password }
    await browser.submit(await browser.open('/auth/signup'), '/auth/signup', form)
    await app.jobsDone()
    const mail = readable(mailServer.mails.at(-1))
    expect(mail).toContain('To: nina@example.com')
    expect(mail).toContain('Adresse des Kontos nina')
    const link = linkTo('nina@example.com')
    expect((await browser.submit(await browser.open(link), link)).text).toContain('Das ist nun die Adresse')
    expect(await signInAs('nina@example.com')).toBe(303)
  })

  it('leads who is not signed in there first, and back', async () => {
    const { person, browser } = await somebody()
    const link = await askFor(browser, 'later@example.com')
    const other = browserAt(app.url)
    const form = await other.open(link)
    const page = await other.submit(form, '/auth/signin', { username: person.username, password })
    expect(page.url).toBe(app.url + link)
    expect((await other.submit(page, link)).status).toBe(200)
    expect(await row(person)).toMatchObject({ email_verified: 1 })
  })

  it('is done for nobody but who has asked: nobody is brought to give an address to another account', async () => {
    const attacker = await somebody()
    const prey = await somebody('prey@example.com')
    const link = await askFor(attacker.browser, 'prey@example.com')
    const page = await prey.browser.open(link)
    await expectValidHtml(page.text)
    expect([page.status, page.text.includes('<form method="post" action="/auth/email')]).toEqual([403, false])
    expect((await prey.browser.open(link, { method: 'POST', body: new URLSearchParams() })).status).toBe(403)
    for (const { person } of [attacker, prey]) expect(await row(person)).toMatchObject({ email_verified: 0 })
  })

  it('is refused to the second of two accounts, also of two that do it at once', async () => {
    const all = await Promise.all([1, 2].map(() => somebody()))
    const links: string[] = []
    for (const { browser } of all) links.push(await askFor(browser, 'both@example.com'))
    const pages = await Promise.all(all.map(({ browser }, index) => browser.open(links[index] ?? '')))
    const answers = await Promise.all(
      all.map(({ browser }, index) => browser.submit(pages[index] as (typeof pages)[0], links[index] ?? '')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const rows = await Promise.all(all.map(({ person }) => row(person)))
    expect(rows.map((user) => user?.email_verified).sort()).toEqual([0, 1])
    expect(answers.find(({ status }) => status === 409)?.text).toContain('Another account has this address already')
    expect(await signInAs('both@example.com')).toBe(303)
  })

  it('lets its owner sign in by it, whoever else is said to have it', async () => {
    const { browser } = await somebody()
    const link = await askFor(browser, 'mine@example.com')
    await browser.submit(await browser.open(link), link)
    const organization = await app.organization()
    await app.person(newName(), { organization, email: 'mine@example.com', password: 'another one' })
    expect(await signInAs('mine@example.com')).toBe(303)
  })

  describe('does not hold', () => {
    it('after a day', async () => {
      const { browser, person } = await somebody()
      const link = await askFor(browser, 'slow@example.com')
      clock.forward(day - 1)
      expect((await browser.open(link)).status).toBe(200)
      clock.forward(1)
      const late = await browser.open(link)
      await expectValidHtml(late.text)
      expect(late.status).toBe(410)
      await app.jobsDone()
      const left = app.ctx.db.read.selectFrom('email_verifications').select('hash').where('user_id', '=', person.id)
      expect(await left.execute()).toEqual([])
    })

    it('once another address was asked for', async () => {
      const { browser, person } = await somebody()
      const first = await askFor(browser, 'first@example.com')
      const second = await askFor(browser, 'second@example.com')
      expect((await browser.open(first)).status).toBe(410)
      await browser.submit(await browser.open(second), second)
      expect(await row(person)).toMatchObject({ email: 'second@example.com' })
    })

    it('once the password was changed: somebody else may have asked for it', async () => {
      const { browser, person } = await somebody()
      const link = await askFor(browser, 'theirs@example.com')
      await app.ctx.transaction((tx) => endSignIns(tx, person.id))
      const again = await signedIn(app, person)
      expect((await again.open(link)).status).toBe(410)
    })

    it('by the page of another site', async () => {
      const { browser, person } = await somebody()
      const link = await askFor(browser, 'site@example.com')
      const headers = { Origin: 'https://evil.example' }
      expect((await browser.open(link, { method: 'POST', headers })).status).toBe(403)
      expect(await row(person)).toMatchObject({ email: null })
    })
  })

  describe('is not asked for', () => {
    const ask = async (fields: object) => {
      const { browser } = await somebody('here@example.com')
      const before = mailServer.mails.length
      const { status, body } = await accountIn(browser).put('/security/email', { password, ...fields })
      await app.jobsDone()
      expect(mailServer.mails).toHaveLength(before)
      return [status, body.code, body.param]
    }

    it('without the password, or of what is no address', async () => {
      expect(await ask({ email: 'x@example.com', password: 'wrong' })).toEqual([403, 'WRONG_PASSWORD', undefined])
      expect(await ask({ email: 'nowhere' })).toEqual([400, 'INVALID_PARAMETER', 'email'])
      expect(await ask({ email: ' ' })).toEqual([400, 'INVALID_PARAMETER', 'email'])
    })

    it('more than three times in a quarter of an hour', async () => {
      const { browser } = await somebody()
      for (let n = 0; n < 3; n++) await askFor(browser, `n${n}@example.com`)
      const { status, body } = await accountIn(browser).put('/security/email', { email: 'n4@example.com', password })
      expect([status, body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
      clock.forward(15 * minute)
      await askFor(browser, 'n4@example.com')
    })

    it('more than five times a day of one address, by all whose it is not: it may be nobody’s of here', async () => {
      const email = `flooded-${databases.dialect}@example.com`
      const mails = () => mailServer.mails.filter((mail) => mail.includes(`To: ${email}`)).length
      const owner = await somebody(email)
      for (let n = 0; n < 6; n++) {
        const browser = browserAt(app.url)
        const form = { username: newName(), email, password }
        await browser.submit(await browser.open('/auth/signup'), '/auth/signup', form)
        // The account is made all the same.
        expect(browser.cookies.has('partita_session')).toBe(true)
      }
      await app.jobsDone()
      expect(mails()).toBe(5)
      const { browser } = await somebody()
      const change = { email: email.toUpperCase(), password }
      const refused = await accountIn(browser).put('/security/email', change)
      expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
      expect(refused.headers.get('retry-after')).toBe('86400')
      // They take nothing from the account that has had it first, which gets its own five.
      for (let n = 0; n < 6; n++) {
        expect((await accountIn(owner.browser).put('/security/email', change)).status).toBe(n < 5 ? 200 : 429)
        clock.forward(15 * minute)
      }
      clock.forward(day)
      const again = await somebody()
      expect((await accountIn(again.browser).put('/security/email', change)).status).toBe(200)
    })
  })
})

describeEachDatabase('where no mails are sent', (databases) => {
  const app = useApp(databases, { signUp: 'true' })

  it('no address is verified, and nobody is told that one waits', async () => {
    const browser = browserAt(app.url)
    const form = { username: 'nina', email: 'nina@example.com', password }
    await browser.submit(await browser.open('/auth/signup'), '/auth/signup', form)
    const account = accountIn(browser)
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
