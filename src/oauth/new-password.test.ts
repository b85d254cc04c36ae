import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useApp } from '../../test/support/app.ts'
import { browserAt } from '../../test/support/browser.ts'
import { clientOf } from '../../test/support/client.ts'
import { minute, testClock } from '../../test/support/clock.ts'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts'
import { newClient, password, signedIn, tokensFor } from '../../test/support/oauth.ts'
import { expectValidHtml } from '../../test/support/valid-html.ts'

let mailServer: MailServer
const mailPort = { url: '' }
beforeAll(async () => {
  mailServer = await startMailServer()
  mailPort.url = mailServer.url
})
afterAll(() => mailServer.close())

/** The text of a mail, whose lines were broken on the way (RFC 2045, section 6.7). */
const readable = (mail = '') =>
  mail.replace(/=\n/g, '').replace(/(=[0-9A-F]{2})+/g, (bytes) => decodeURIComponent(bytes.replaceAll('=', '%')))

describeEachDatabase('a forgotten password', (databases) => {
  const clock = testClock()
  const app = useApp(
    databases,
    {
      get smtpUrl() {
        return mailPort.url
      },
      mailFrom: 'School <school@example.com>',
    },
    { clock },
  )

  const askFor = async (username: string, language = 'en') => {
    const browser = browserAt(app.url, { 'Accept-Language': language })
    return browser.submit(await browser.open('/auth/password'), '/auth/password', { username })
  }
  /** The path of the link in the last mail. */
  async function linkFor(username: string): Promise<string> {
    await askFor(username)
    await app.jobsDone()
    return /\/auth\/password\/\w+/.exec(readable(mailServer.mails.at(-1)))?.[0] ?? ''
  }

  it('is chosen anew by a link that is mailed, once; then nothing of before holds', async () => {
    const otto = await app.person('otto', { email: 'otto@example.com' })
    const client = await newClient(app)
    const { access_token } = await tokensFor(app, otto, client, { access_type: 'offline' })
    const elsewhere = await signedIn(app, otto)

    const sent = await askFor('Otto', 'de')
    await expectValidHtml(sent.text)
    await app.jobsDone()
    const mail = readable(mailServer.mails.at(-1))
    expect(mail).toContain('From: School <school@example.com>')
    expect(mail).toContain('To: otto@example.com')
    expect(mail).toContain('Subject: =?UTF-8?Q?Ein_neues_Passwort')
    const link = /http\S+/.exec(mail.slice(mail.indexOf('Wählen')))?.[0] ?? ''
    const [, token = ''] = /\/auth\/password\/(partita_reset_\w{46})$/.exec(link) ?? []
    const tables = await Promise.all([
      app.ctx.db.read.selectFrom('password_resets').selectAll().execute(),
      app.ctx.db.read.selectFrom('jobs').selectAll().execute(),
    ])
    expect(token).not.toBe('')
    expect(JSON.stringify(tables)).not.toContain(token)

    const browser = browserAt(app.url)
    const page = await browser.open(link)
    await expectValidHtml(page.text)
    const action = `/auth/password/${token}`
    const short = await browser.submit(page, action, { password: 'short' })
    expect([short.status, short.text.includes('6 to 1000')]).toEqual([400, true])
    const account = await browser.submit(page, action, { password: 'another one' })
    expect(account.text).toContain('Signed in as otto')
    expect((await browser.submit(page, action, { password: 'a third one' })).status).toBe(410)
    expect((await browser.open(link)).status).toBe(410)

    expect((await elsewhere.open('/account')).text).toContain('action="/auth/signin"')
    expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(401)
    expect((await otto.get('/me')).status).toBe(401)
    await expect(signedIn(app, otto)).rejects.toThrow('not signed in')
  })

  it('is not asked for twice by one link: asking again makes another, and using one ends both', async () => {
    await app.person('olga', { email: 'olga@example.com' })
    const [first, second] = [await linkFor('olga@example.com'), await linkFor('olga')]
    expect(first).not.toBe(second)
    const browser = browserAt(app.url)
    await browser.submit(await browser.open(first), first, { password: 'another one' })
    expect((await browser.open(second)).status).toBe(410)
  })

  it('has a link for half an hour', async () => {
    await app.person('late', { email: 'late@example.com' })
    const link = await linkFor('late')
    clock.forward(30 * minute - 1)
    expect((await browserAt(app.url).open(link)).status).toBe(200)
    clock.forward(1)
    expect((await browserAt(app.url).open(link)).status).toBe(410)
  })

  it('says the same, and sends nothing, where there is no account or no address', async () => {
    await app.person('quiet')
    const before = mailServer.mails.length
    const answers = [await askFor('quiet'), await askFor('nobody'), await askFor('nobody@example.com')]
    await app.jobsDone()
    expect(mailServer.mails).toHaveLength(before)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  it('is asked for three times in a quarter of an hour, whoever has the name', async () => {
    await app.person('often', { email: 'often@example.com' })
    for (const name of ['often', 'no-such-name']) {
      for (let n = 0; n < 3; n++) expect((await askFor(name)).status).toBe(200)
      expect((await askFor(name)).status).toBe(429)
    }
    clock.forward(15 * minute)
    expect((await askFor('often')).status).toBe(200)
  })

  it('is not chosen by the page of another site, nor without a link', async () => {
    await app.person('prey', { email: 'prey@example.com' })
    const link = await linkFor('prey')
    const body = new URLSearchParams({ password: 'chosen for you' })
    const headers = { Origin: 'https://evil.example' }
    expect((await fetch(app.url + link, { method: 'POST', body, headers })).status).toBe(403)
    expect((await fetch(`${app.url}/auth/password/nonsense`, { method: 'POST', body })).status).toBe(410)
  })
})

describeEachDatabase('where no mails are sent', (databases) => {
  const app = useApp(databases)

  it('a forgotten password is the administrator’s', async () => {
    const page = await browserAt(app.url).open('/auth/password')
    await expectValidHtml(page.text)
    expect(page.text).toContain('Ask its administrator')
    expect(page.text).not.toContain('<form')
    expect((await fetch(`${app.url}/auth/password`, { method: 'POST' })).status).toBe(404)
  })

  it('and where it is not allowed nobody makes an account', async () => {
    for (const method of ['GET', 'POST']) expect((await fetch(`${app.url}/auth/signup`, { method })).status).toBe(404)
    expect((await browserAt(app.url).open('/auth/signin')).text).not.toContain('/auth/signup')
  })
})

describeEachDatabase('signing up, where it is allowed', (databases) => {
  const app = useApp(databases, { signUp: 'true' })
  const signUp = async (fields: Record<string, string>) => {
    const browser = browserAt(app.url, { 'Accept-Language': 'es' })
    const page = await browser.open('/auth/signup')
    return { browser, shown: await browser.submit(page, '/auth/signup', { password, ...fields }) }
  }

  it('makes an individual account and signs in; its address is not yet known to be the person’s', async () => {
    const { browser, shown } = await signUp({ username: 'nina', email: 'nina@example.com' })
    await expectValidHtml(shown.text)
    expect(shown.text).toContain('Sesión de nina')
    expect(browser.cookies.size).toBe(1)
    const user = await app.ctx.db.read
      .selectFrom('users')
      .selectAll()
      .where('username_key', '=', 'nina')
      .executeTakeFirst()
    expect(user).toMatchObject({ organization_id: null, email_verified: 0, email_vouched: 0, locale: 'es' })
  })

  describe('is refused in words', () => {
    it.each<[number, string, Record<string, string>]>([
      [409, 'Alguien ya tiene', { username: 'NINA' }],
      [400, 'Elija un nombre', { username: 'two words' }],
      [400, 'Elija un nombre', { username: 'me' }],
      [400, 'Elija una contraseña', { username: 'new', password: 'short' }],
      [400, 'Esto no es una dirección', { username: 'new', email: 'nowhere' }],
    ])('%i %s', async (status, words, fields) => {
      const { browser, shown } = await signUp(fields)
      expect([shown.status, browser.cookies.size]).toEqual([status, 0])
      expect(shown.text).toContain(words)
      await expectValidHtml(shown.text)
    })
  })
})
