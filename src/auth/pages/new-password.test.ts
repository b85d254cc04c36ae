import { describe, expect, it } from 'vitest'
import { internalClient } from '../../../test/support/client.ts'
import { useApp } from '../../../test/support/app.ts'
import { browserAt } from '../../../test/support/browser.ts'
import { clientOf } from '../../../test/support/client.ts'
import { testClock } from '../../../test/support/clock.ts'
import { minute } from '../../lib/durations.ts'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import { readable, useMailServer } from '../../../test/support/mail-server.ts'
import { newClient, tokensFor } from '../../../test/support/oauth.ts'
import { password, signedIn } from '../../../test/support/sessions.ts'
import { expectValidHtml } from '../../../test/support/valid-html.ts'
import { countAttempt } from '../throttling/attempt-limits.store.ts'
import { updatePassword } from '../../features/people/users/store.ts'

const mailServer = useMailServer()

describeEachDatabase('a forgotten password', (databases) => {
  const clock = testClock()
  const app = useApp(databases, mailServer.settings({ mailFrom: 'School <school@example.com>' }), { clock })

  const askFor = async (username: string, language = 'en') => {
    const browser = browserAt(app.url, { 'Accept-Language': language })
    return browser.submit(await browser.open('/auth/password'), '/auth/password', { username })
  }
  /** Requests a reset and returns the path of the link in the last mail. */
  async function linkFor(username: string): Promise<string> {
    await askFor(username)
    await app.jobsDone()
    return /\/auth\/password\/\w+/.exec(readable(mailServer.mails.at(-1)))?.[0] ?? ''
  }

  it('is set for the first time for an account that a provider created', async () => {
    const nina = await app.person('nina', { email: 'nina@example.com' })
    await app.ctx.transaction((tx) => updatePassword(tx, nina.id, ''))
    const browser = browserAt(app.url)
    const path = await linkFor('nina@example.com')
    await browser.submit(await browser.open(path), path, { password: 'one of her own' })
    expect(browser.cookies.has('partita_session')).toBe(true)
  })

  it('is requested with an address of two organizations, and each account gets a mail', async () => {
    const email = 'tess@b.example'
    for (const organization of [await app.organization('A'), await app.organization('B')]) {
      await app.person(`tess.${organization}`, { organization, email })
    }
    const before = mailServer.mails.length
    await askFor(email)
    await app.jobsDone()
    const mails = mailServer.mails.slice(before).map((mail) => readable(mail))
    const named = mails.map((mail) => /tess\.[0-9a-f]{24}/.exec(mail)?.[0])
    expect(new Set(named).size).toBe(2)
  })

  it('is set once with the mailed link, and revokes all sessions and tokens', async () => {
    const otto = await app.person('otto', { email: 'otto@example.com' })
    const client = await newClient(app)
    const { access_token } = await tokensFor(app, otto, client, { access_type: 'offline' })
    const otherBrowser = await signedIn(app, otto)

    const requested = await askFor('Otto', 'de')
    await expectValidHtml(requested.text)
    await app.jobsDone()
    const mail = readable(mailServer.mails.at(-1))
    expect(mail).toContain('From: School <school@example.com>')
    expect(mail).toContain('To: otto@example.com')
    expect(mail).toContain('Subject: =?UTF-8?Q?Ihr_Passwort')
    const link = /http\S+/.exec(mail.slice(mail.indexOf('öffnen')))?.[0] ?? ''
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
    expect([short.status, short.text.includes('8 to 1000')]).toEqual([400, true])
    const common = await browser.submit(page, action, { password: 'password1' })
    expect([common.status, common.text.includes('most common passwords')]).toEqual([400, true])
    await browser.submit(page, action, { password: 'another one' })
    expect((await internalClient(browser).get('/me')).body.username).toBe('otto')
    expect((await browser.submit(page, action, { password: 'a third one' })).status).toBe(410)
    expect((await browser.open(link)).status).toBe(410)

    expect((await otherBrowser.open('/account')).text).toContain('action="/auth/signin"')
    expect((await clientOf(app.url, access_token).get('/scores/x')).status).toBe(401)
    expect((await otto.get('/me')).status).toBe(401)
    await expect(signedIn(app, otto)).rejects.toThrow('not signed in')
  })

  it('gets a new link for each request, and using one link invalidates all', async () => {
    await app.person('olga', { email: 'olga@example.com' })
    const [first, second] = [await linkFor('olga@example.com'), await linkFor('olga')]
    expect(first).not.toBe(second)
    const browser = browserAt(app.url)
    await browser.submit(await browser.open(first), first, { password: 'another one' })
    expect((await browser.open(second)).status).toBe(410)
  })

  it('has a link that is valid for half an hour', async () => {
    await app.person('late', { email: 'late@example.com' })
    const link = await linkFor('late')
    clock.forward(30 * minute - 1)
    expect((await browserAt(app.url).open(link)).status).toBe(200)
    clock.forward(1)
    expect((await browserAt(app.url).open(link)).status).toBe(410)
  })

  it('gets the same response and sends no mail without an account or an address', async () => {
    await app.person('quiet')
    const before = mailServer.mails.length
    const answers = [await askFor('quiet'), await askFor('nobody'), await askFor('nobody@example.com')]
    await app.jobsDone()
    expect(mailServer.mails).toHaveLength(before)
    const jobs = await app.ctx.db.read
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'send-password-reset')
      .execute()
    await askFor('nobody')
    await askFor('quiet')
    const now = await app.ctx.db.read
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'send-password-reset')
      .execute()
    expect(now).toHaveLength(jobs.length + 2)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  it('is requested at most three times in 15 minutes per name', async () => {
    await app.person('often', { email: 'often@example.com' })
    for (const name of ['often', 'no-such-name']) {
      for (let n = 0; n < 3; n++) expect((await askFor(name)).status).toBe(200)
      expect((await askFor(name)).status).toBe(429)
    }
    clock.forward(15 * minute)
    expect((await askFor('often')).status).toBe(200)
  })

  it('can be requested in a browser of the owner after others have used up the requests', async () => {
    const frida = await app.person('frida', { email: 'frida@example.com' })
    const browser = await signedIn(app, frida)
    const mailsInAll = () => mailServer.mails.filter((mail) => mail.includes('To: frida@example.com')).length
    const earlier = mailsInAll()
    const mails = () => mailsInAll() - earlier
    for (let n = 0; n < 12; n++) {
      await askFor('frida')
      await app.jobsDone()
      if (n % 3 === 2) clock.forward(15 * minute)
    }
    const before = mails()
    expect(before).toBe(10)
    for (let n = 0; n < 3; n++) expect((await askFor('frida')).status).toBe(200)
    expect((await askFor('frida')).status).toBe(429)
    await browser.open('/auth/signout', { method: 'POST' })
    await app.ctx.transaction(async (tx) => {
      const ofNetwork = { key: ['password-mail', '127.0.0.1'], max: 100 }
      for (let n = 0; n < 100; n++) await countAttempt(app.ctx, tx, [ofNetwork])
    })
    const own = await browser.submit(await browser.open('/auth/password'), '/auth/password', {
      username: 'frida',
    })
    await app.jobsDone()
    expect([own.status, mails() - before]).toEqual([200, 1])
    clock.forward(15 * minute)
  })

  it('is refused alike for known and unknown names in other spellings', async () => {
    await app.person('greta', { email: 'greta@example.com' })
    for (const [spelling, name] of [
      ['Gréta@example.com', 'greta@example.com'],
      ['Grit@example.com', 'grit@example.com'],
    ] as const) {
      for (let n = 0; n < 3; n++) expect((await askFor(spelling)).status).toBe(200)
      expect((await askFor(name)).status).toBe(429)
    }
  })

  it('is mailed at most ten times a day per account, with the same response afterwards', async () => {
    const hugo = await app.person('hugo', { email: 'hugo@example.com' })
    const mails = () => mailServer.mails.filter((mail) => mail.includes('To: hugo@example.com')).length
    const ask = async (name: string) => {
      const { status, text } = await askFor(name)
      await app.jobsDone()
      return [status, text]
    }
    const first = await ask('hugo')
    const before = mails() - 1
    for (let n = 1; n < 12; n++) {
      expect(await ask(n % 2 ? hugo.username : 'hugo@example.com')).toEqual(first)
      clock.forward(15 * minute)
    }
    expect(mails() - before).toBe(10)
    clock.forward(24 * 60 * minute)
    await ask('hugo')
    expect(mails() - before).toBe(11)
  })

  it('is not set by a cross-site request or without a link', async () => {
    await app.person('prey', { email: 'prey@example.com' })
    const link = await linkFor('prey')
    const body = new URLSearchParams({ password: 'chosen for you' })
    const headers = { Origin: 'https://evil.example' }
    expect((await fetch(app.url + link, { method: 'POST', body, headers })).status).toBe(403)
    expect((await fetch(`${app.url}/auth/password/nonsense`, { method: 'POST', body })).status).toBe(410)
  })
})

describeEachDatabase('without mail', (databases) => {
  const app = useApp(databases)

  it('users are told to ask an administrator for a new password', async () => {
    const page = await browserAt(app.url).open('/auth/password')
    await expectValidHtml(page.text)
    expect(page.text).toContain('Ask its administrator')
    expect(page.text).not.toContain('<form')
    expect((await fetch(`${app.url}/auth/password`, { method: 'POST' })).status).toBe(404)
  })

  it('and without permission no account can be created', async () => {
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${app.url}/auth/signup`, { method })).status).toBe(404)
    expect((await browserAt(app.url).open('/auth/signin')).text).not.toContain('/auth/signup')
  })
})

describeEachDatabase('sign-up, if it is permitted', (databases) => {
  const app = useApp(databases, { signUp: 'true' })
  const signUp = async (fields: Record<string, string>) => {
    const browser = browserAt(app.url, { 'Accept-Language': 'es' })
    const page = await browser.open('/auth/signup')
    return { browser, shown: await browser.submit(page, '/auth/signup', { password, ...fields }) }
  }

  it('creates an individual account with an unverified address and signs in', async () => {
    const { browser } = await signUp({ username: 'nina', email: 'nina@example.com' })
    expect((await internalClient(browser).get('/me')).body.username).toBe('nina')
    const user = await app.ctx.db.read
      .selectFrom('users')
      .selectAll()
      .where('username_key', '=', 'nina')
      .executeTakeFirst()
    expect(user).toMatchObject({ organization_id: null, email_verified: 0, email_vouched: 0, locale: 'es' })
  })

  describe('shows an error', () => {
    it.each<[number, string, Record<string, string>]>([
      [409, 'ya está en uso', { username: 'NINA' }],
      [400, 'Elija un nombre', { username: 'two words' }],
      [400, 'Elija un nombre', { username: 'me' }],
      [400, 'Elija una contraseña', { username: 'new', password: 'secret1' }],
      [400, 'contraseñas más comunes', { username: 'new', password: 'contrasena' }],
      [400, 'Esta dirección de correo no es válida', { username: 'new', email: 'nowhere' }],
    ])('%i %s', async (status, words, fields) => {
      const { browser, shown } = await signUp(fields)
      expect([shown.status, browser.cookies.size]).toEqual([status, 0])
      expect(shown.text).toContain(words)
      await expectValidHtml(shown.text)
    })
  })
})
